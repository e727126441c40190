/**
 * The filters of a list as conditions that people read and change.
 *
 *     const condition = readFilters(location.search) // of `filters[…]`; undefined for none
 *     describe(condition, { label }) // Status is one of “news”, “review”
 *     writeFilters({ kind: 'all', conditions: [condition, another] }) // for the next address
 */
export { type Condition, readFilters, writeFilters } from './condition.ts'
export { describe, english, type FilterWords, operatorsFor } from './words.ts'
