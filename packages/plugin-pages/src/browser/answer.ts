import type { Explanation } from '@octavo/core'
import type { ModelOperator } from '../query/model.ts'
import { button, byId, copy, element } from './dom.ts'
import { showPlan, showPruned } from './plan.ts'
import { addressOf, clientCode, qsCode, queryOf } from './request.ts'
import type { QueryState } from './state.ts'

type Operators = Readonly<Record<string, ModelOperator>>

/** Shows the request in each of its forms. */
export function showCode(state: QueryState, operators: Operators): void {
  const query = queryOf(state, operators)
  const { origin } = location
  byId('code').replaceChildren(
    code('URL', `${origin}${addressOf(state, query)}`),
    code('With qs', qsCode(origin, state, query)),
    code('With @octavo/client', clientCode(origin, state, query)),
  )
}

function code(title: string, text: string): HTMLElement {
  const copied = button('Copy', `Copy: ${title}`, () => void copy(text, copied))
  return element('details', { open: title === 'URL' }, [
    element('summary', {}, [title]),
    element('div', { class: 'copy' }, [
      element('pre', { tabindex: 0, role: 'region', 'aria-label': title }, [element('code', {}, [text])]),
      copied,
    ]),
  ])
}

/** The number of the last run: answers of earlier ones are dropped. */
let runs = 0

/** Says that the answer on the page is about to be replaced. */
export function showWaiting(): void {
  runs += 1
  byId('status').textContent = 'Running…'
}

/** Sends the request, then the one for its explanation, and shows both. */
export async function runQuery(state: QueryState, operators: Operators, token: string): Promise<void> {
  showWaiting()
  const run = runs
  const status = byId('status')
  const address = addressOf(state, queryOf(state, operators))
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` }
  try {
    const start = performance.now()
    const answer = await fetch(address, { headers })
    const text = await answer.text()
    const time = performance.now() - start
    const explanation = await fetch(`${address}${address.includes('?') ? '&' : '?'}explain=true`, { headers })
    const explained: unknown = await explanation.json()
    if (run !== runs) return
    showAnswer(text)
    showProblem(answer.ok ? undefined : messageOf(text))
    status.textContent = `${answer.status} ${answer.ok ? 'OK' : ''} in ${time.toFixed(0)} ms, ${sizeOf(text)}${pagesOf(text)}`
    showExplanation(explanation.ok ? (explained as Explanation) : undefined) // the server's own
  } catch (error) {
    if (run !== runs) return
    status.textContent = 'No answer'
    showProblem(`The server does not answer: ${String(error)}`)
  }
}

/** Shows an error beside the button, where the query is written. */
function showProblem(message: string | undefined): void {
  const problem = byId('problem')
  problem.hidden = message === undefined
  problem.textContent = message ?? ''
}

/** The message of an error's body, which names the part of the query. */
function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: unknown } } // the envelope of errors
    return typeof error?.message === 'string' ? error.message : text
  } catch {
    return text
  }
}

/** Characters of an answer that are shown. */
const shownLength = 200_000

function showAnswer(text: string): void {
  byId('answer').hidden = false
  const pretty = printed(text)
  byId('body').textContent =
    pretty.length > shownLength ? `${pretty.slice(0, shownLength)}\n… the rest is not shown` : pretty
}

function printed(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const sizeOf = (text: string): string => {
  const { size } = new Blob([text])
  return size < 10_000 ? `${size} bytes` : `${Math.round(size / 1000)} kB`
}

/** `, 2 of 31 entries` */
function pagesOf(text: string): string {
  try {
    const { data, meta } = JSON.parse(text) as {
      readonly data?: readonly unknown[]
      readonly meta?: { readonly pagination?: { readonly total?: number } }
    } // an answer of the interface; other shapes have neither
    const total = meta?.pagination?.total
    return Array.isArray(data) && total !== undefined ? `, ${data.length} of ${total} entries` : ''
  } catch {
    return ''
  }
}

function showExplanation(explanation: Explanation | undefined): void {
  byId('missing').hidden = explanation === undefined
  byId('plan').hidden = explanation?.plan === undefined
  if (!explanation) return
  showPruned(explanation, byId('pruned'))
  if (explanation.plan) showPlan(explanation, byId('steps'))
}
