/**
 * Decodes a query string into the values of the requested names; it does not interpret them. For nested brackets see
 * {@link Branch}.
 *
 *     &&a=x+y&b%5Bc%5D=%25& → { a: 'x y', b: { c: '%' } }
 *     _q=x]=y               → { _q: 'x]=y' }; filters[a=b]=1 → { filters: { 'a=b': '1' } }
 *     filters[a]            → { filters: { a: { $null: 'true' } } }
 *
 * Rejects, for any parameter: more than `limits.queryLength` characters, `limits.parameters` pairs or `limits.depth`
 * brackets, escapes that are not UTF-8, null bytes and lone surrogates. For requested names: unbalanced brackets, text
 * between brackets, and lists of more than `limits.listLength`.
 *
 * Clients use qs to write query strings, so values are read as qs reads them; a test checks the equivalence. qs itself silently accepts
 * input that must be rejected (malformed escapes, text between brackets, the name `__proto__`, `_q=x]=y`). The cost of its lists
 * is their highest index, not their length: one URL full of `[999]` took 280 ms and 140 MB.
 *
 * Source: docs/contract/reading.md#the-query-string; recorded exchanges of the group clients.
 */
import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import { Branch } from './branch.ts'
import { isCondition, nullCondition } from './null-condition.ts'
import { parameter } from './path.ts'
import type { RawValue } from './raw.ts'

/** A name, then any number of brackets, without text between or after them. */
const keyGrammar = /^[^[\]]*(?:\[[^[\]]*\])*$/

/**
 * @param isRead Whether the value of a name is requested; may throw.
 * @throws PayloadTooLargeError `query/too-long`
 * @throws ValidationError `query/too-many-parameters`, `query/too-deep`, `query/list-too-long`, `query/malformed`
 */
export function decodeQuery(
  query: string,
  limits: Limits,
  isRead: (name: string) => boolean,
): ReadonlyMap<string, RawValue> {
  if (query.length > limits.queryLength) throw problem('query/too-long', { limit: limits.queryLength })
  if (!query.isWellFormed()) throw malformed('it holds half a surrogate pair')

  const branches = new Map<string, Branch>()
  let count = 0
  for (const pair of query.split('&')) {
    if (pair === '') continue
    count += 1
    if (count > limits.parameters) throw problem('query/too-many-parameters', { limit: limits.parameters })

    const end = endOfKey(pair)
    const key = decodeText(pair.slice(0, end))
    const value = decodeText(pair.slice(end + 1))
    if (depthOf(key) > limits.depth) throw problem('query/too-deep', { limit: limits.depth })

    const [name, keys] = splitKey(key)
    if (!isRead(name)) continue
    if (!keyGrammar.test(key)) throw malformed(`the brackets of "${clip(key)}" do not match`)
    let branch = branches.get(name)
    if (!branch) {
      branch = new Branch()
      branches.set(name, branch)
    }
    const isNull = end === pair.length && isCondition(name, keys)
    if (isNull) branch.add(...nullCondition(keys, value))
    else branch.add(keys, value)
  }

  const values = new Map<string, RawValue>()
  for (const [name, branch] of branches) values.set(name, branch.value(parameter(name), limits.listLength))
  return values
}

/** The index at which the key ends: that of the first `=` outside brackets (a name may contain `=`), or at the end. */
function endOfKey(pair: string): number {
  const first = pair.indexOf('=')
  if (first === -1) return pair.length
  if (!opensBracket(pair.slice(0, first))) return first
  const closed = /(?:\]|%5d)=/i.exec(pair)
  return closed ? closed.index + closed[0].length - 1 : first
}

const opensBracket = (key: string): boolean =>
  Math.max(key.lastIndexOf('['), key.lastIndexOf('%5B'), key.lastIndexOf('%5b')) >
  Math.max(key.lastIndexOf(']'), key.lastIndexOf('%5D'), key.lastIndexOf('%5d'))

function decodeText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  const decoded = spaced.includes('%') ? decodeEscapes(spaced) : spaced
  if (decoded.includes('\0')) throw malformed('it holds a zero byte')
  return decoded
}

function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw malformed(
      `"${clip(text)}" holds a % that begins no character of UTF-8; write %25 for the sign itself`,
    )
  }
}

function depthOf(key: string): number {
  let depth = 0
  for (let i = key.indexOf('['); i !== -1; i = key.indexOf('[', i + 1)) depth += 1
  return depth
}

/** `filters[id][$in]` → `filters` and its brackets `id`, `$in`. As in qs, `[filters][id]` is `filters[id]`. */
function splitKey(key: string): [name: string, brackets: readonly string[]] {
  const bracket = key.indexOf('[')
  if (bracket === -1) return [key, []]
  const brackets = key.slice(bracket + 1, -1).split('][')
  return bracket === 0 ? [brackets[0] ?? '', brackets.slice(1)] : [key.slice(0, bracket), brackets]
}

const malformed = (reason: string) => problem('query/malformed', { reason })

const clip = (text: string): string => (text.length <= 100 ? text : `${text.slice(0, 100)}…`)
