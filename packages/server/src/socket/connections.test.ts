import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { Connections } from './connections.ts'

const clients = 5

/** Connects the clients, tells that the system has accepted them, and sends what they received. */
const connecting = `
const { connect } = require('node:net')
const { text } = require('node:stream/consumers')
const { parentPort, workerData: { port, connected, clients } } = require('node:worker_threads')
const all = Array.from({ length: clients }, () => {
  const client = connect(port, '127.0.0.1', () => {
    client.write('GET / HTTP/1.1\\r\\nHost: example.org\\r\\nConnection: close\\r\\n\\r\\n')
    Atomics.add(connected, 0, 1)
    Atomics.notify(connected, 0)
  })
  return text(client).catch((error) => error.message)
})
Promise.all(all).then((answers) => parentPort.postMessage(answers))
`

it('a server that stops answers clients whose connections were not accepted yet', async () => {
  const server = createServer((request, response) => {
    const answer = (): void => {
      connections.track(request, response)
      response.end('answered')
    }
    if (connections.isHolding) connections.hold(answer)
    else answer()
  })
  const connections = new Connections(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await connections.drain(0)
  const connected = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(connecting, { eval: true, workerData: { port, connected, clients } })
  // This thread accepts nothing meanwhile.
  for (let count = 0; count < clients; count = Atomics.load(connected, 0)) Atomics.wait(connected, 0, count)
  const stopped = connections.stop(60_000)
  const [answers] = await once(worker, 'message')
  await stopped
  const expected: unknown[] = Array.from({ length: clients }, () => expect.stringContaining('answered'))
  expect(answers).toEqual(expected)
})
