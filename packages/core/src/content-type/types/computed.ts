import type { Sql } from '@octavo/database'
import type { AttributeValues } from './values.ts'

/** The attributes that a value is computed from, each with its type: `{ title: 'string', body: 'text' }`. */
export interface ComputedFrom {
  readonly [name: string]: keyof AttributeValues
}

/** The key `computed` of an attribute: its value is not stored, but computed when it is read. */
export type Computed<F extends ComputedFrom = ComputedFrom> = {
  /**
   * Scalar attributes of the same entry or component, with their types; `createdAt` and `updatedAt` are of the type `datetime`. A
   * caller who may not read one of them may not read the computed attribute.
   */
  readonly from: F
} & (
  | {
      /**
       * An SQL expression over the columns. The attribute can be filtered and sorted by; an index serves neither. It may not
       * contain aggregates, and subqueries in it would read entries that the caller may not read.
       */
      sql(columns: { readonly [K in keyof F]: Sql }): Sql
      readonly value?: never
    }
  | {
      /**
       * A function over the values as they are in answers; null for a missing value. It runs for each returned entry, and must
       * neither wait for anything nor have side effects. The attribute is in no filter and no sort.
       */
      value(values: { readonly [K in keyof F]: AttributeValues[F[K]] | null }): unknown
      readonly sql?: never
    }
)

/**
 * Types the functions of a computed attribute by the attributes that it is computed from.
 *
 *     words: {
 *       type: 'integer',
 *       computed: computed({ from: { body: 'text' }, sql: ({ body }) => sql`cardinality(string_to_array(${body}, ' '))` }),
 *     }
 *     teaser: {
 *       type: 'string',
 *       computed: computed({ from: { body: 'text' }, value: ({ body }) => body?.slice(0, 80) ?? null }),
 *     }
 */
export const computed = <const F extends ComputedFrom>(definition: Computed<F>): Computed<F> => definition
