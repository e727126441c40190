import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import { type DeclaredOperators, noOperators } from '../operator/added.ts'
import type { ReportUnknownName } from '../unknown-names.ts'
import type { ParamPath } from './raw.ts'

/** The parameters that plugins declared, by name. */
export type DeclaredParams = ReadonlyMap<string, { readonly scope?: 'root' | 'inherit' | 'own' }>

/** The state of parsing one query string: limits, declared parameters and operators, and counters. */
export class Reading {
  readonly limits: Limits
  readonly params: DeclaredParams
  readonly operators: DeclaredOperators
  /** `undefined`: unknown names are ignored. */
  readonly unknownName: ReportUnknownName | undefined
  #conditions = 0
  #searched = 0
  #places = 0

  /** @param operators The operators of plugins. Default: none. */
  constructor(
    limits: Limits,
    params: DeclaredParams,
    operators: DeclaredOperators = noOperators,
    unknownName?: ReportUnknownName,
  ) {
    this.limits = limits
    this.unknownName = unknownName
    this.params = params
    this.operators = operators
  }

  /** Counts a comparison or group in `filters`. @throws ValidationError `query/filter-too-large` */
  countConditions(more: number): void {
    this.#conditions += more
    if (this.#conditions > this.limits.filterNodes)
      throw problem('query/filter-too-large', { limit: this.limits.filterNodes })
  }

  /**
   * Counts the characters of texts that are searched for within other texts. PostgreSQL compares each with the text at each of its characters,
   * and no limit of time ends it before the end of this text.
   *
   * @throws ValidationError `query/filter-texts-too-long`
   */
  countSearched(texts: readonly string[]): void {
    for (const { length } of texts) this.#searched += length
    const limit = this.limits.searchLength
    if (this.#searched > limit) throw problem('query/filter-texts-too-long', { limit })
  }

  /**
   * Counts a place that `populate` names, `depth` levels below the root.
   * @throws ValidationError `query/populate-too-deep`, `query/populate-too-large`
   */
  countPlace(at: ParamPath, depth: number): void {
    const { populateDepth, populateNodes } = this.limits
    if (depth > populateDepth) throw problem('query/populate-too-deep', { at, limit: populateDepth })
    this.#places += 1
    if (this.#places > populateNodes) throw problem('query/populate-too-large', { limit: populateNodes })
  }
}
