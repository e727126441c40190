/** Milliseconds until work that failed is done again; each further time twice as many, up to a minute. */
const first = 1_000
const longest = 60_000

/** The repetitions of work that must succeed in the end. They keep no process running. */
export class Retries {
  readonly #work: () => void
  #delay = first
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(work: () => void) {
    this.#work = work
  }

  succeeded(): void {
    this.#delay = first
  }

  failed(): void {
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    this.#timer = setTimeout(this.#work, this.#delay).unref()
    this.#delay = Math.min(this.#delay * 2, longest)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}
