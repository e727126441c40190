/** The type of a query, from the definition: its names, operators and values. */
import type { Definition } from '../../content-type/types/attributes-of.ts'
import type { Filters } from './filters.ts'
import type { CheckedPopulate, Populate } from './populate.ts'
import type { AddedParameters } from './query-input.ts'
import type { CheckedSort, Sort } from './sort.ts'

/** A page of a list: by its number, by an offset, or after or before a cursor. */
export type PageInput =
  | OnlyKeys<{ page?: number; pageSize?: number; withCount?: boolean }>
  | OnlyKeys<{ start?: number; limit?: number; withCount?: boolean }>
  | OnlyKeys<{ after: string; pageSize?: number; withCount?: boolean }>
  | OnlyKeys<{ before: string; pageSize?: number; withCount?: boolean }>

type PageKey = 'page' | 'pageSize' | 'start' | 'limit' | 'after' | 'before' | 'withCount'

/** The keys of different paging methods exclude each other. */
type OnlyKeys<T> = Readonly<T> & { readonly [K in Exclude<PageKey, keyof T>]?: never }

/** The query of one entry of `D`: its attributes and populated places. */
export interface AnswerQuery<M, D extends Definition, F, P> extends AddedParameters {
  /** The attributes in the answer: `['title', 'views']`. Default: all that are no relations, components or media. */
  readonly fields?: F
  /** The relations, components, zones and media in the answer: `{ author: true, seo: { populate: 'image' } }`. Default none. */
  readonly populate?: (P & CheckedPopulate<M, D, P>) | Unwritten<P, Populate<M, D>>
}

/** The names that an editor offers in an object that is not written yet, from which `P` cannot be inferred. */
type Unwritten<P, Offered> = [P] extends [never] ? Offered : never

/** The query of a list of entries of `D`. */
export interface ListingQuery<M, D extends Definition, F, P, S = Sort<M, D>> extends AnswerQuery<M, D, F, P> {
  /** Conditions that the entries meet: `{ title: { $contains: 'light' }, author: { name: 'Ada' } }`. Default: all entries. */
  readonly filters?: Filters<M, D> | undefined
  /** The order, most significant first: `['views:desc', 'author.name']`. Default: by id. */
  readonly sort?: S & CheckedSort<M, D, S>
  /** The page: `{ page: 2, pageSize: 10 }`, `{ start: 10, limit: 10 }`, or `after` and `before` with a cursor. Default: the first 25 entries. */
  readonly pagination?: PageInput
  /** Finds entries that contain the phrase. */
  readonly _q?: string
}
