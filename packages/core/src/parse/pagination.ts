/**
 * Parses paging parameters: `pagination[…]` at the root, and the same names directly inside an object of `populate`.
 *
 *     pagination[page]=2&pagination[pageSize]=10 → page 2 of 10
 *     pagination[start]=10&pagination[limit]=-1  → offset 10, limit -1
 *     pagination[withCount]=false                → without the count; true, 1, t, false, 0, f
 *     populate[articles][start]=1                → offset 1 in each parent's list
 *     pagination[after]=&pagination[pageSize]=10 → the first page of 10, with cursors
 *     pagination[page][]=2                       → page 2: a list of one is its element
 *     pagination[page]=                          → page 0, which becomes 1
 *     pagination[foo]=1                          → nothing; reported as an unknown name
 *
 * Numbers are whole, in any notation of JavaScript (`5.0`, `1e1`), at most 2^53 away from 0; `resolvePaging` clamps them to the bounds.
 * Rejects other numbers, other flags (including empty ones), and a mix of the two methods.
 *
 * Source: docs/contract/reading.md#pagination; refusals from the recorded exchanges page-014,
 * page-016, page-022 and offset-016.
 */
import { problem } from '../error/problems.ts'
import { child } from './path.ts'
import type { ParamPath, RawCursor, RawPagination, RawValue } from './raw.ts'
import type { Reading } from './reading.ts'
import { unknownKeys } from './unknown.ts'
import { isList, type RawObject, readYesNo, shown, unwrapped } from './value.ts'

const offset = ['start', 'limit'] as const

/** The keys of `pagination`. */
export const pagingKeys = ['page', 'pageSize', ...offset, 'after', 'before', 'withCount'] as const

/** The paging of a query without paging parameters. */
export const defaultPagination: RawPagination = Object.freeze({ kind: 'page' })

/** @throws ValidationError `query/bad-paging`, `query/mixed-paging`, `query/bad-cursor` */
export function parsePagination(value: RawValue, at: ParamPath, reading: Reading): RawPagination | RawCursor {
  if (value === '') return defaultPagination
  if (typeof value === 'string' || isList(value)) {
    throw problem('query/bad-paging', {
      at,
      value: shown(value),
      expected: '[page] and [pageSize], [start] and [limit], or [after] or [before] and [pageSize]',
    })
  }
  unknownKeys(value, pagingKeys, at, reading)
  const withCount =
    value.withCount === undefined ? {} : { withCount: readCount(value.withCount, child(at, 'withCount')) }
  return { ...(parseCursor(value, at) ?? parseChildPage(value, at) ?? defaultPagination), ...withCount }
}

/** `undefined` without a cursor parameter. @throws ValidationError `query/bad-cursor`, `query/bad-paging` */
function parseCursor(value: RawObject, at: ParamPath): RawCursor | undefined {
  const { after, before } = value
  const cursor = after ?? before
  if (cursor === undefined) return undefined
  if (
    (after !== undefined && before !== undefined) ||
    value.page !== undefined ||
    numbersOf(value, offset, at)
  )
    throw problem('query/bad-cursor', {
      at,
      reason: 'use one of after and before, not both, and only pageSize with it',
    })
  const direction = after === undefined ? 'before' : 'after'
  const place = child(at, direction)
  const text = unwrapped(cursor)
  if (typeof text !== 'string')
    throw problem('query/bad-cursor', { at: place, reason: 'expected one cursor, or nothing to begin' })
  return { kind: 'cursor', direction, cursor: text, ...numbersOf(value, ['pageSize'], at), at: place }
}

/**
 * Paging within each parent's list; `undefined` without paging parameters.
 * @throws ValidationError `query/bad-paging`, `query/mixed-paging`
 */
export function parseChildPage(value: RawObject, at: ParamPath): RawPagination | undefined {
  const byPage = numbersOf(value, ['page', 'pageSize'], at)
  const byOffset = numbersOf(value, offset, at)
  if (byPage && byOffset) throw problem('query/mixed-paging', { at })
  if (byPage) return { kind: 'page', ...byPage }
  return byOffset && { kind: 'offset', ...byOffset }
}

function numbersOf<K extends string>(value: RawObject, names: readonly K[], at: ParamPath) {
  const numbers: { [N in K]?: number } = {}
  let any = false
  for (const name of names) {
    const given = value[name]
    if (given === undefined) continue
    numbers[name] = readWholeNumber(given, child(at, name))
    any = true
  }
  return any ? numbers : undefined
}

function readWholeNumber(value: RawValue, at: ParamPath): number {
  const text = unwrapped(value)
  // `Number` reads an empty one as 0, as the reference does.
  const number = typeof text === 'string' ? Number(text) : Number.NaN
  if (Number.isSafeInteger(number)) return number + 0 // -0 is 0
  throw problem('query/bad-paging', {
    at,
    value: shown(value),
    expected: `a whole number of at most ${Number.MAX_SAFE_INTEGER}`,
  })
}

function readCount(value: RawValue, at: ParamPath): boolean {
  const count = readYesNo(unwrapped(value))
  if (count === undefined)
    throw problem('query/bad-paging', { at, value: shown(value), expected: 'true, 1, t, false, 0 or f' })
  return count
}
