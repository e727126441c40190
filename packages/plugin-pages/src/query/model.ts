/** The content-types for the query page, as JSON. */

export interface QueryModel {
  readonly prefix: string
  readonly types: readonly ModelType[]
  readonly components: Readonly<Record<string, readonly ModelAttribute[]>>
  readonly operators: Readonly<Record<string, ModelOperator>>
  /** Codes of locales; empty without content-types in several locales. */
  readonly locales: readonly string[]
  /** Relations and components in one path of `filters` or `sort`. */
  readonly pathSteps: number
  /** To-many relations in such a path. */
  readonly manySteps: number
  /** Levels of `populate`. */
  readonly populateDepth: number
}

export interface ModelType {
  readonly uid: string
  readonly name: string
  /** The path of its endpoints; `undefined` for types that are reached through relations only. */
  readonly path?: string
  readonly isSingle: boolean
  readonly hasDrafts: boolean
  readonly isLocalized: boolean
  readonly attributes: readonly ModelAttribute[]
}

export interface ModelAttribute {
  readonly name: string
  readonly kind: 'scalar' | 'relation' | 'component' | 'zone'
  /** `string`, `relation`, `media`. */
  readonly type: string
  /** The names of operators; empty for attributes that cannot be filtered. */
  readonly operators: readonly string[]
  /** The values of an enumeration. */
  readonly values?: readonly string[]
  /** The content-type or component that it leads to. */
  readonly target?: string
  /** Whether filters and sort may go through it. */
  readonly isPath?: boolean
  /** Whether it leads to several entries or components. */
  readonly isMany?: boolean
}

export interface ModelOperator {
  readonly operand: 'one' | 'list' | 'pair' | 'flag'
  readonly meaning: string
  /** A valid operand, of operators that plugins add. */
  readonly example?: string
}
