/** The script of the page `/docs/query`. */
import type { QueryModel } from '../query/model.ts'
import { runQuery, showCode, showWaiting } from './answer.ts'
import { controls, typeControl } from './controls.ts'
import { byId, copy, element, input } from './dom.ts'
import type { Form } from './form.ts'
import { emptyState, printState, type QueryState, readState } from './state.ts'

const form = byId('form')

/** Milliseconds without a change before a query runs. */
const pause = 400

/** The query, and the token of requests, which is not part of the address. */
class Page {
  readonly #model: QueryModel
  #state: QueryState
  #token = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(model: QueryModel, state: QueryState) {
    this.#model = model
    this.#state = state
  }

  /** Builds the form. */
  show(): void {
    if (this.#state.path === '') {
      form.replaceChildren(element('p', {}, ['There are no content-types yet.']))
      return
    }
    const choice = typeControl(this.#model, this.#state.path, (state) => {
      this.#change(state)
      this.#showControls()
    })
    form.replaceChildren(choice)
    this.#showControls()
  }

  /**
   * Rebuilds the form below the choice of the content-type, which stays: a new one would forget the letters that were typed.
   * @param focus The id of the control that then has the focus.
   */
  #showControls(focus?: string): void {
    const type = this.#model.types.find(({ path }) => path === this.#state.path)
    if (!type) return
    const given: Form = {
      model: this.#model,
      type,
      state: this.#state,
      now: () => this.#state,
      change: (changes) => this.#change(changes),
      rebuild: (changes, next) => {
        this.#change(changes)
        this.#showControls(next)
      },
    }
    const token = input(
      'Token of the caller',
      { type: 'password', value: this.#token, placeholder: 'none: the role public' },
      (value) => {
        this.#token = value
        this.#runSoon()
      },
    )
    for (const old of [...form.children].slice(1)) old.remove()
    form.append(...controls(given), token)
    if (focus !== undefined) document.getElementById(focus)?.focus()
    showCode(this.#state, this.#model.operators)
  }

  /** Cancels the pending run, because another query replaces this one. */
  leave(): void {
    clearTimeout(this.#timer)
  }

  async run(): Promise<void> {
    clearTimeout(this.#timer)
    await runQuery(this.#state, this.#model.operators, this.#token)
  }

  #change(changes: Partial<QueryState>): void {
    this.#state = { ...this.#state, ...changes }
    history.replaceState(null, '', `#${printState(this.#state)}`)
    showCode(this.#state, this.#model.operators)
    this.#runSoon()
  }

  /** Runs the query when nothing has changed for a moment, so that a word that is typed is one request. */
  #runSoon(): void {
    clearTimeout(this.#timer)
    showWaiting()
    this.#timer = setTimeout(() => void this.run(), pause)
  }
}

/** The state of the address, with the first content-type if it has none. */
function stateOf(model: QueryModel): QueryState {
  const state = readState(location.hash)
  if (model.types.some(({ path }) => path !== undefined && path === state.path)) return state
  return { ...emptyState, path: model.types.find(({ path }) => path !== undefined)?.path ?? '' }
}

const response = await fetch('/docs/query/model.json')
const model = (await response.json()) as QueryModel // the server's own
let page = new Page(model, stateOf(model))
page.show()
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void page.run()
})
const link = byId('link')
link.addEventListener('click', () => void copy(location.href, link))
// Another link to this page, in the same tab.
addEventListener('hashchange', () => {
  page.leave()
  page = new Page(model, stateOf(model))
  page.show()
  void page.run()
})
// A shared link shows its answer.
if (location.hash !== '') await page.run()
