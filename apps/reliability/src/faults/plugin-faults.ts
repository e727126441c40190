/** Plugins that fail, and requests that are odd. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../ask.ts'
import { check, type Fault } from './fault.ts'
import { withServer } from './served.ts'

/** A configuration with the set-up of a plugin `failing`. */
const withPlugin = (setup: string): string =>
  `{ content: '.', access: 'open', plugins: [{ name: 'failing', setup: (host) => { ${setup} } }] }`

const route = (handler: string): string =>
  `host.hook('server:routes', (routes) => { routes.add({ method: 'GET', path: '/fail', handler: ${handler} }) })`

const slowAnswer = `new Promise((resolve) => setTimeout(() => { context.body = { done: true }; resolve() }, 500))`

/** A server that fails outside of a request: it answers what is in flight, and ends with 1. */
const stray = (handler: string) => async (): Promise<string> =>
  withServer({ config: withPlugin(route(handler)) }, async ({ server }) => {
    const answer = await ask(server.url, 'GET', '/api/fail')
    const { code } = await server.ended
    check(answer?.status === 200, `The request in flight had ${answer?.status}`)
    check(code === 1, `It ended with ${code}`)
    check(server.output.includes('stray error'), 'The log has no line about the error')
    return 'the request in flight was answered; exit code 1'
  })

async function answerTo(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(text)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  await Promise.race([once(socket, 'close'), sleep(5_000)])
  socket.destroy()
  return answer
}

const oddRequests = [
  ...['*;q=0', 'gzip;q=0, *;q=0', 'identity;q=0'].map(
    (value) => `GET /api/boxes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: ${value}\r\n\r\n`,
  ),
  'GET /api/fail HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /api/boxes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: x\r\n\r\n',
  'GET /api/boxes HTTP/1.1\r\nConnection: close\r\n\r\n',
  'GET /api/boxes HTTP/1.1\r\nHost: x\r\n\r\n\u0000garbage\r\n\r\n',
] as const

export const pluginFaults: readonly Fault[] = [
  {
    name: 'A stray rejection of a plugin',
    holds: 'it is logged, requests in flight are answered, the process ends with 1',
    inShort: false,
    run: stray(
      `(context) => { setTimeout(() => Promise.reject(new Error('stray error'))); return ${slowAnswer} }`,
    ),
  },
  {
    name: 'A throw in the timer of a plugin',
    holds: 'it is logged, requests in flight are answered, the process ends with 1',
    inShort: false,
    run: stray(`(context) => { setTimeout(() => { throw new Error('stray error') }); return ${slowAnswer} }`),
  },
  {
    name: 'SIGTERM while a hook hangs',
    holds: 'the process ends within its time for requests in flight',
    inShort: false,
    run: () =>
      withServer(
        { config: withPlugin(`host.hook('entry:afterCreate', () => new Promise(() => {}))`) },
        async ({ server }) => {
          void ask(server.url, 'POST', '/api/boxes', { data: { name: 'x' } })
          await sleep(500)
          const began = performance.now()
          const { code, signal } = await server.stop()
          const seconds = (performance.now() - began) / 1_000
          check(
            signal === null && seconds < 40,
            `It ended with ${code ?? signal} after ${seconds.toFixed(0)} s`,
          )
          return `ended after ${seconds.toFixed(1)} s with ${code}`
        },
      ),
  },
  {
    name: 'Odd requests: encodings that exclude all, a circular body, `Expect: x`, no Host, garbage behind a request',
    holds: 'each has an answer of its own, with the envelope of errors',
    inShort: false,
    run: () =>
      withServer(
        { config: withPlugin(route(`(context) => { const a = {}; a.a = a; context.body = a }`)) },
        async ({ server }) => {
          const statuses: string[] = []
          for (const text of oddRequests) {
            const answer = await answerTo(server.url, text)
            const [head = '', body = ''] = answer.split('\r\n\r\n')
            const status = /^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 'none'
            statuses.push(status)
            check(/^[245]/.test(status), `${JSON.stringify(text)}: ${status}`)
            check(/content-type: application\/json/i.test(head), `${JSON.stringify(text)}: ${head}`)
            if (!status.startsWith('2')) check(body.includes('"error":{"status":'), `No envelope: ${body}`)
          }
          check(server.isRunning, 'The server ended')
          return statuses.join(', ')
        },
      ),
  },
]
