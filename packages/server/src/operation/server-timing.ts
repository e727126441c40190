import type { Step } from '@octavo/core'
import { observed } from './observed.ts'

/** The times of the steps of one request, for the header `Server-Timing`. */
export class StepTimes {
  readonly #start = performance.now()
  readonly #times = new Map<string, number>()

  step<T>({ name }: Step, work: () => T): T {
    const start = performance.now()
    return observed(work, () =>
      this.#times.set(name, (this.#times.get(name) ?? 0) + performance.now() - start),
    )
  }

  /** `resolve;dur=0.4, hooks;dur=0.1, total;dur=7.2`, in milliseconds. */
  get header(): string {
    const steps = [...this.#times].map(([name, time]) => entry(name === 'hook' ? 'hooks' : name, time))
    return [...steps, entry('total', performance.now() - this.#start)].join(', ')
  }
}

const entry = (name: string, time: number): string => `${name};dur=${Math.round(time * 100) / 100}`
