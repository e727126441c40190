import type { Mistake } from '@octavo/database'
import { problem } from '../../error/problems.ts'
import type { BodyPath } from './write-plan.ts'

/** Mistakes of a body that are reported one by one: the sentences of all would be many times as long as the body. */
const reported = 100

/** Collects the mistakes in a body, so that they are reported together. */
export class InputMistakes {
  /** The first ones. */
  readonly #found: Mistake[] = []
  #count = 0
  #unknown = 0

  add(at: BodyPath, message: string, name = 'ValidationError', place = this.#found.length): void {
    if (++this.#count > reported) return
    const mistake = { path: at.map(String), message: message.replaceAll('{at}', () => inWords(at)), name }
    this.#found.splice(place, 0, mistake)
  }

  /** Adds a name that no attribute has: these are reported before other mistakes. */
  addUnknown(at: BodyPath, message: string): void {
    this.add(at, message, undefined, this.#unknown++)
  }

  get any(): boolean {
    return this.#found.length > 0
  }

  /** @throws ValidationError with the number of mistakes and the first hundred, or ApplicationError when these all have that name. */
  throwIfAny(): void {
    const errors = this.#found
    if (errors.length > 0)
      throw problem('entry/invalid', { errors, count: this.#count }, { details: { errors } })
  }
}

/** `hours[0].day` */
export const inWords = (at: BodyPath): string =>
  at.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )
