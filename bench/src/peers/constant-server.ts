/** `node:http` alone: answers every request with the same bytes. Run as a child process that is sent the body. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [body] = await once(process, 'message')
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
}
const server = createServer((request, response) => {
  const send = (): void => void response.writeHead(200, headers).end(body)
  if (request.method === 'GET') send()
  else request.on('end', send).resume()
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
