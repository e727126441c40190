/** The types of `sort` and `fields`. */
import type { DoesNotExist } from '../../content-type/types/attribute-options.ts'
import type { AttributeOf, Definition, IsUnknown, ValueName } from '../../content-type/types/attributes-of.ts'
import type { FilteredName, LedTo } from './filters.ts'
import type { OneOrMany, QueryInput } from './query-input.ts'

type Direction = 'asc' | 'desc'
type Directed<Path extends string> = Path | `${Path}:${Direction}`
type SortName<D extends Definition> = ValueName<D> | 'id' | ScoreName<D>
/** `_score` of a content-type with a full-text search; valid beside `_q` only. */
type ScoreName<D extends Definition> = D extends {
  readonly options: { readonly search: { readonly mode: 'fulltext' } }
}
  ? '_score'
  : never

/** `title`, `title:desc`, and through relations `author.name:desc`. */
export type SortTerm<D extends Definition> =
  IsUnknown<D> extends true ? string : Directed<SortName<D>> | `${FilteredName<D>}.${string}`

/** Terms, most significant first, or an object: `{ author: { name: 'desc' } }`. */
export type Sort<M, D extends Definition> = OneOrMany<SortTerm<D>> | OneOrMany<SortObject<M, D>>

type SortObject<M, D extends Definition> =
  IsUnknown<D> extends true
    ? QueryInput
    : { readonly [K in SortName<D>]?: Direction } & {
        readonly [K in FilteredName<D>]?: SortObject<M, LedTo<M, AttributeOf<D, K>>>
      }

/** Rejects paths of `sort` whose names do not exist. As a union of all paths they would be too many for TypeScript. */
export type CheckedSort<M, D extends Definition, S> =
  IsUnknown<D> extends true
    ? unknown
    : S extends string
      ? string extends S
        ? unknown
        : S extends `${infer Path}:${infer Order}`
          ? Order extends Direction
            ? CheckedTerm<M, D, Path>
            : DoesNotExist<`A direction is asc or desc, not "${Order}"`>
          : CheckedTerm<M, D, S>
      : S extends readonly unknown[]
        ? { readonly [I in keyof S]: CheckedSort<M, D, S[I]> }
        : unknown

type CheckedTerm<M, D extends Definition, Path extends string> =
  IsUnknown<D> extends true
    ? unknown
    : Path extends `${infer First}.${infer Rest}`
      ? First extends FilteredName<D>
        ? CheckedTerm<M, LedTo<M, AttributeOf<D, First>>, Rest>
        : DoesNotExist<`There is nothing to sort by under the name "${First}"`>
      : Path extends SortName<D>
        ? unknown
        : DoesNotExist<`There is nothing to sort by under the name "${Path}"`>

/** `title`, a list of names, or `*`. */
export type Fields<D extends Definition> =
  IsUnknown<D> extends true ? OneOrMany<string> : OneOrMany<ValueName<D> | 'id' | '*'>
