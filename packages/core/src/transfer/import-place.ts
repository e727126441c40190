import type { Bindable } from '../content-type/attribute-type.ts'
import type { ContentType } from '../content-type/model.ts'
import { isId } from '../id.ts'
import { isObject } from '../kinds-of-values.ts'

/** The place of an imported entry, for messages. */
export interface Place {
  readonly type: ContentType
  readonly id: number
  /** The index of the entry in the list of a data file; `undefined` in a stream. */
  readonly index: number | undefined
}

/** The entry, or the component within it, that a row is for. */
export interface RowContext {
  readonly place: Place
  /** The path of the component within the entry, with a final dot: `seo.keywords[0].` */
  readonly path: string
  readonly id: number
  /** A component's values of `ownerColumns`; empty for an entry. */
  readonly owner: readonly Bindable[]
}

/** `entries["api::book.book"][12] (id 13)`, or `api::book.book 13` in a stream. */
export const describe = ({ type, index, id }: Place): string =>
  index === undefined ? `${type.uid} ${id}` : `entries["${type.uid}"][${index}] (id ${id})`

/** The id of an entry; `undefined` without a valid id. */
export const idOf = (entry: unknown): number | undefined =>
  isObject(entry) && isId(entry.id) ? entry.id : undefined
