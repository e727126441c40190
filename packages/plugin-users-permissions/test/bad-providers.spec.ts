/** Login providers whose answers are late, endless or none at all. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from '@octavo/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OAuthProvider } from '../src/index.ts'
import { openSite, type Site } from './site.ts'

const home = 'https://site.example/welcome'

let http: Server
let at: string
let answer: RequestListener
let site: Site
let reasons: string[]

beforeEach(async () => {
  reasons = []
  http = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  at = `http://127.0.0.1:${(http.address() as AddressInfo).port}` // it listens on a port
})
afterEach(async () => {
  vi.restoreAllMocks()
  await site?.close()
  http.closeAllConnections()
  http.close()
})

const open = async (provider: Partial<OAuthProvider>) => {
  const ignored = () => {}
  const warn = ({ reason }: { readonly reason?: string }) => {
    if (reason !== undefined) reasons.push(reason)
  }
  const logger = {
    debug: ignored,
    info: ignored,
    error: ignored,
    warn,
    child: () => logger,
  } as unknown as Logger
  const one = { issuer: at, clientId: 'one', clientSecret: 'a secret', callbacks: [home], ...provider }
  site = await openSite({ publicUrl: 'http://octavo.test', providers: { one } }, { logger })
}
const get = (path: string, headers = {}) => fetch(`${site.url}/api${path}`, { redirect: 'manual', headers })

/** Lets the time of answers pass when a listener calls it. @returns the listener's part */
const endTime = () => {
  const timers: AbortController[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const timer = new AbortController()
    // The libraries have longer times of their own.
    if (ms === 10_000) timers.push(timer)
    return timer.signal
  })
  return () => {
    for (const timer of timers) timer.abort(new DOMException('Too late', 'TimeoutError'))
  }
}
let isLate: () => void
const endless: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const part = Buffer.alloc(65_536, ' ')
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  }
  response.on('drain', more)
  more()
}
const drip: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  let bytes = 0
  const timer = setInterval(() => {
    response.write(' ')
    if (++bytes === 10) isLate()
  }, 1)
  response.on('close', () => clearInterval(timer))
}

describe('a provider whose description', () => {
  it.each([
    ['has no end', endless, 'more than 1048576 bytes'],
    ['arrives byte by byte', drip, 'did not answer within 10 s'],
    ['never arrives', () => isLate(), 'did not answer within 10 s'],
    ['leads in a circle', (_, response) => response.writeHead(302, { location: at }).end(), 'unexpected'],
    ['is no JSON', (_, response) => response.end('<h1>Hello</h1>'), 'unexpected response content-type'],
    ['is an error', (_, response) => response.writeHead(500).end(), 'unexpected HTTP response status code'],
  ] satisfies [string, RequestListener, string][])(
    '%s is told to the page',
    async (_what, listener, reason) => {
      answer = listener
      await open({})
      isLate = endTime()
      const { status, headers } = await get('/connect/one')
      expect([status, headers.get('location')]).toEqual([302, `${home}?error=temporarily_unavailable`])
      expect(reasons).toEqual([expect.stringContaining(reason)])
    },
  )
})

describe('the preset github', () => {
  const token = { access_token: 'a-token-of-github', token_type: 'bearer', scope: 'user:email' }
  const sent =
    (body: string): RequestListener =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    }
  it.each([
    ['a token without an end', '/login/oauth/access_token', endless, 'more than 1048576 bytes'],
    [
      'a token that is no JSON',
      '/login/oauth/access_token',
      sent('{"access_token":"a-token-of-github"'),
      'pars',
    ],
    [
      'a refusal of the code',
      '/login/oauth/access_token',
      sent(
        '{"error":"bad_verification_code","error_description":"The code passed is incorrect or expired."}',
      ),
      'bad_verification_code: The code passed is incorrect or expired.',
    ],
    [
      'a refusal of the client',
      '/login/oauth/access_token',
      (_, response) =>
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}'),
      'invalid_client',
    ],
    ['a user without an end', '/api/v3/user', endless, 'more than 1048576 bytes'],
    ['a user byte by byte', '/api/v3/user', drip, 'did not answer within 10 s'],
    [
      'a user at another place',
      '/api/v3/user',
      (_, response) => response.writeHead(302, { location: at }).end(),
      'GitHub answered 302',
    ],
    ['addresses that are no list', '/api/v3/user/emails', sent('{}'), 'no list of addresses'],
  ] satisfies [string, string, RequestListener, string][])(
    'is no login with %s',
    async (_what, path, listener, reason) => {
      answer = (request, response) => {
        if (request.url === path) return listener(request, response)
        sent(JSON.stringify(request.url?.endsWith('token') ? token : { id: 42, login: 'zoe' }))(
          request,
          response,
        )
      }
      await open({ preset: 'github' })
      isLate = endTime()
      const began = await get('/connect/one')
      const state = new URL(began.headers.get('location') ?? '').searchParams.get('state')
      const cookie = began.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
      const back = await get(`/connect/one/callback?code=x&state=${state}`, { cookie })
      expect([back.status, back.headers.get('location')]).toEqual([302, `${home}?error=access_denied`])
      expect(reasons).toEqual([expect.stringContaining(reason)])
      expect(reasons.join()).not.toContain('a-token')
    },
  )
})
