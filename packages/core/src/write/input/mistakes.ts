import type { Mistake } from '@octavo/database'
import { problem } from '../../error/problems.ts'
import type { BodyPath } from './write-plan.ts'

/** Collects the mistakes in a body, so that they are reported together. */
export class InputMistakes {
  readonly #found: Mistake[] = []

  add(at: BodyPath, message: string, name = 'ValidationError'): void {
    this.#found.push({ path: at.map(String), message: message.replaceAll('{at}', inWords(at)), name })
  }

  get any(): boolean {
    return this.#found.length > 0
  }

  /** @throws ValidationError with every mistake, or ApplicationError when all mistakes have that name. */
  throwIfAny(): void {
    const errors = this.#found
    if (errors.length > 0) throw problem('entry/invalid', { errors }, { details: { errors } })
  }
}

/** `hours[0].day` */
export const inWords = (at: BodyPath): string =>
  at.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )
