import type { Limits } from '@octavo/core'
import { problem } from '../problems.ts'
import type { Parameter } from './arguments.ts'

/** A root field is a statement of its own, and counts as so many places. */
const placesOfRoot = 5

/** Counts the shape of an operation while it is compiled; each number is that of one query of REST. */
export class ShapeBounds {
  readonly #limits: Limits
  #places = 0
  #parameters = 0
  #steps = 0
  #filters = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** @throws ValidationError `graphql/too-many-places` */
  countRoot(): void {
    this.#countPlaces(placesOfRoot)
  }

  /** A populated relation, component or zone item. @throws ValidationError `graphql/too-many-places` */
  countPlace(): void {
    this.#countPlaces(1)
  }

  #countPlaces(count: number): void {
    const { populateNodes: limit } = this.#limits
    this.#places += count
    if (this.#places > limit) throw problem('graphql/too-many-places', { limit })
  }

  /** The parameters of a root field or of a relation. @throws ValidationError `graphql/too-many-arguments` */
  countParameters(parameters: readonly Parameter[]): void {
    const { parameters: most, comparisons, requestSteps } = this.#limits
    for (const [path, value] of parameters) {
      this.#parameters += 1
      const [name] = path
      if (name === 'filters') {
        this.#filters += 1
        this.#steps += path.length - 3
      } else if (name === 'sort') this.#steps += value.split('.').length - 1
    }
    for (const [found, limit] of [
      [this.#parameters, most],
      [this.#filters, comparisons],
      [this.#steps, requestSteps],
    ] as const)
      if (found > limit) throw problem('graphql/too-many-arguments', { limit })
  }
}
