/** A query as an object, with the same names as in a URL: `{ filters: { title: { $eq: 'Emma' } }, populate: '*' }`. */
export type QueryInput = Readonly<Record<string, unknown>>

export type OneOrMany<T> = T | readonly T[]

/** Parameters that plugins add to a query, by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface AddedParameters {}

/** Parameters that plugins add to populated nodes, by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface AddedChildParameters {}
