import { ApplicationError, type Mistake, ValidationError } from '../error/octavo-error.ts'
import type { BodyPath } from './write-plan.ts'

/** Gathers what is wrong with a body, so that all of it is reported at once. */
export class Mistakes {
  readonly #found: Mistake[] = []

  add(at: BodyPath, message: string, name = 'ValidationError'): void {
    this.#found.push({ path: at.map(String), message: message.replaceAll('{at}', inWords(at)), name })
  }

  get any(): boolean {
    return this.#found.length > 0
  }

  /** @throws ValidationError with every mistake, or ApplicationError when they are all of that name. */
  throwIfAny(): void {
    const [first, ...more] = this.#found
    if (!first) return
    const message = more.length === 0 ? first.message : `${this.#found.length} errors occurred`
    const Class = this.#found.every((mistake) => mistake.name === 'ApplicationError')
      ? ApplicationError
      : ValidationError
    throw new Class('entry/invalid', message, { errors: this.#found })
  }
}

/** `hours[0].day` */
export const inWords = (at: BodyPath): string =>
  at.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )
