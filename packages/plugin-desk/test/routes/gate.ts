/** A gate on the way from a page to the API of the desk: requests wait there, fail, or go on. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The fate of a request: it goes on, waits, is answered with a status, or finds no server. */
export type Fate = 'pass' | 'hold' | 'unreachable' | number

/** A request to the API. @param path Below `/desk/api/`, without the query. */
export type Rule = (method: string, path: string) => Fate

export interface Gate {
  /** The fate of all requests from now on, and of the requests that wait. */
  rule(rule: Rule): Promise<void>
  /** The requests since the last rule, such as `GET people`. */
  readonly asked: readonly string[]
  /** How many requests wait. */
  readonly waiting: number
}

interface Paused {
  readonly requestId: string
  readonly method: string
  readonly path: string
}

/** Puts a gate before the API. By the protocol of the browser, and only there: a route of Playwright would turn its cache off. */
export async function gateOf(page: Page): Promise<Gate> {
  const cdp = await page.context().newCDPSession(page)
  let rule: Rule = () => 'pass'
  let held: Paused[] = []
  const asked: string[] = []
  const decide = async (paused: Paused): Promise<void> => {
    const { requestId, method, path } = paused
    const fate = rule(method, path)
    if (fate === 'hold') return void held.push(paused)
    // A request that the page has given up needs no answer.
    await answer(requestId, fate).catch(() => undefined)
  }
  const answer = (requestId: string, fate: Exclude<Fate, 'hold'>): Promise<unknown> => {
    if (fate === 'pass') return cdp.send('Fetch.continueRequest', { requestId })
    if (fate === 'unreachable')
      return cdp.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' })
    const body = JSON.stringify({ error: { status: fate, name: 'Error', message: `The reason is ${fate}.` } })
    return cdp.send('Fetch.fulfillRequest', {
      ...{ requestId, responseCode: fate, body: Buffer.from(body).toString('base64') },
      responseHeaders: [{ name: 'Content-Type', value: 'application/json' }],
    })
  }
  cdp.on('Fetch.requestPaused', ({ requestId, request: { method, url } }) => {
    const path = new URL(url).pathname.slice('/desk/api/'.length)
    asked.push(`${method} ${path}`)
    void decide({ requestId, method, path })
  })
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*/desk/api/*' }] })
  return {
    asked,
    get waiting() {
      return held.length
    },
    rule: async (next) => {
      rule = next
      asked.length = 0
      const before = held
      held = []
      await Promise.all(before.map(decide))
    },
  }
}

/** Waits until a request waits at the gate, or until what was begun is done without one. */
export const someWait = (gate: Gate, begun: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    begun.then(() => gate.waiting > 0),
    expect
      .poll(() => gate.waiting, { timeout: 30_000 })
      .toBeGreaterThan(0)
      .then(() => true),
  ])
