import { connect } from 'node:net'

/** Sends a GET request with the path exactly as given: `fetch` would normalise `..` and refuse some characters. */
export function raw(
  url: string,
  target: string,
): Promise<{ readonly status: number; readonly body: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString()
    })
    socket.on('close', () => resolve({ status: Number(answer.split(' ')[1]), body: answer }))
    socket.on('error', reject)
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  })
}
