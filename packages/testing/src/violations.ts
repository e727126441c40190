/** Violations of accessibility that axe finds on a page, for the tests in Chromium of this workspace: it is not part of the published package. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** WCAG 2.2 AA, by the tags of axe. */
const guidelines = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

export interface Rules {
  /** The rules to check. Default: all of WCAG 2.2 AA. */
  readonly rules?: readonly string[]
  /** Tags of more rules than those of WCAG. */
  readonly more?: readonly string[]
  /** Rules that are left out. */
  readonly without?: readonly string[]
}

/** A rule that a page breaks, and the elements that do, as HTML. */
export type Violation = readonly [rule: string, ...elements: readonly string[]]

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/**
 * Brings axe into the document of a page, unless it has it: its 650 KB take as long as a run. By the protocol of the browser, since
 * `evaluate` of Playwright takes twice the processor time for so long a text, which it wraps as a value.
 */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate('"axe" in window')) return
  const opened = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, opened)
  const session = await opened
  const { exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: readFileSync(axe, 'utf8'),
  })
  if (exceptionDetails) throw new Error(`axe does not run here: ${exceptionDetails.text}`)
}

/** The rules that a page breaks. The page has no frames. A document gets axe once, however often it is looked at. */
export async function violationsOf(
  page: Page,
  { rules, more = [], without = [] }: Rules = {},
): Promise<readonly Violation[]> {
  await bringAxe(page)
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: [...guidelines, ...more] }
  const leftOut = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  const options = { resultTypes: ['violations'], runOnly, rules: leftOut }
  const found = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)})
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
  )
  return found as readonly Violation[] // as the script makes them
}
