/**
 * Reads a query string into a tree, for the names that `keep` says; what each value means is not its concern.
 *
 *     a=1                → { a: '1' }
 *     a=1&a=2            → { a: ['1', '2'] }          also a[]=1&a[]=2 and a[0]=1&a[1]=2
 *     a[1]=x&a[0]=y      → { a: ['y', 'x'] }
 *     a[b][c]=1          → { a: { b: { c: '1' } } }
 *     a=1&a[b]=2         → { a: ['1', { b: '2' }] }   in either order: both are there
 *     a[0]=1&a[b]=2      → { a: { 0: '1', b: '2' } }
 *     &&a=x+y&           → { a: 'x y' }
 *
 * The nesting is that of qs, which clients of this contract write with. What qs lets pass in silence is seen to here:
 * it keeps malformed escapes as text, cuts at its bounds, drops text between brackets, drops the name `__proto__`, and
 * takes `_q=x]=y` for a parameter named `_q=x]`.
 *
 * Source: BEHAVIOUR, "Reading the query string"; recorded exchanges of the group clients.
 */
import qs from 'qs'
import { problem } from '../error/problems.js'
import type { Limits } from '../limits.js'
import { child, parameter } from './path.js'
import type { ParamPath, RawValue } from './raw.js'
import { isIndex, type RawObject } from './value.js'

/** Stands for the name `__proto__` while qs, which drops that name, has the keys. No text of a client holds a zero byte. */
const proto = '\0proto'

/** A name, then any number of brackets, with nothing between or after them. */
const keyGrammar = /^[^[\]]*(?:\[[^[\]]*\])*$/

/**
 * Past this index qs gives an object with integer keys in place of a list, and we make the list of it. Higher, and an
 * index alone costs that many steps: `a[999][999]…` in one URL would keep the process busy for a second.
 */
const arrayLimit = 20

/**
 * @throws PayloadTooLargeError `query/too-long`
 * @throws ValidationError `query/too-many-parameters`, `query/too-deep`, `query/list-too-long`, `query/malformed`
 */
export function decodeQuery(query: string, limits: Limits, keep: (name: string) => boolean): RawObject {
  if (query.length > limits.queryLength) throw problem('query/too-long', { limit: limits.queryLength })
  if (!query.isWellFormed()) throw problem('query/malformed', { reason: 'it holds half a surrogate pair' })

  const pairs: Record<string, string | string[]> = Object.create(null)
  let count = 0
  for (const pair of query.split('&')) {
    if (pair === '') continue
    count += 1
    if (count > limits.parameters) throw problem('query/too-many-parameters', { limit: limits.parameters })

    const end = endOfKey(pair)
    const key = unwrap(decodeText(pair.slice(0, end)))
    const value = decodeText(pair.slice(end + 1))
    if (depthOf(key) > limits.depth) throw problem('query/too-deep', { limit: limits.depth })

    const bracket = key.indexOf('[')
    if (!keep(bracket === -1 ? key : key.slice(0, bracket))) continue
    if (!keyGrammar.test(key))
      throw problem('query/malformed', { reason: `the brackets of "${key.slice(0, 100)}" do not match` })
    add(pairs, key.includes('[__proto__]') ? key.replaceAll('[__proto__]', `[${proto}]`) : key, value)
  }

  const tree = qs.parse(pairs as Record<string, string>, {
    plainObjects: true,
    depth: limits.depth,
    strictDepth: true,
    parameterLimit: Number.POSITIVE_INFINITY,
    arrayLimit,
  })
  const said: Record<string, RawValue> = Object.create(null)
  // qs gives texts, lists and objects of these, and no `undefined` in its lists.
  for (const [name, value] of Object.entries(tree))
    said[name] = tidy(value as RawValue, parameter(name), limits.listLength)
  return said
}

/** Where the key ends: at the first `=` outside of brackets, for a name may hold one (`filters[a=b]=1`), or at the end. */
function endOfKey(pair: string): number {
  const first = pair.indexOf('=')
  if (first === -1) return pair.length
  if (!opensBracket(pair.slice(0, first))) return first
  const closed = /(?:\]|%5d)=/i.exec(pair)
  return closed ? closed.index + closed[0].length - 1 : first
}

const opensBracket = (key: string): boolean => {
  const text = key.replace(/%5b/gi, '[').replace(/%5d/gi, ']')
  return text.lastIndexOf('[') > text.lastIndexOf(']')
}

function decodeText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  const decoded = spaced.includes('%') ? decodeEscapes(spaced) : spaced
  if (decoded.includes('\0')) throw problem('query/malformed', { reason: 'it holds a zero byte' })
  return decoded
}

function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw problem(
      'query/malformed',
      { reason: `"${text.slice(0, 100)}" holds a % that is no escape of UTF-8` },
      undefined,
      cause,
    )
  }
}

/** `[filters][id]` → `filters[id]`, as qs reads it. */
const unwrap = (key: string): string => (key.startsWith('[') ? key.replace(/^\[([^[\]]*)\]/, '$1') : key)

function depthOf(key: string): number {
  let depth = 0
  for (let i = key.indexOf('['); i !== -1; i = key.indexOf('[', i + 1)) depth += 1
  return depth
}

function add(pairs: Record<string, string | string[]>, key: string, value: string): void {
  const before = pairs[key]
  if (before === undefined) pairs[key] = value
  else if (typeof before === 'string') pairs[key] = [before, value]
  else before.push(value)
}

/** Makes lists of objects that have integer keys only, bounds them, and gives `__proto__` its name back. */
function tidy(value: RawValue, at: ParamPath, listLength: number): RawValue {
  if (typeof value === 'string') return value
  const keys = Object.keys(value)
  if (keys.every(isIndex)) {
    if (keys.length > listLength) throw problem('query/list-too-long', { at, limit: listLength })
    return Object.values(value).map((item, i) => tidy(item, child(at, i), listLength))
  }
  const object: Record<string, RawValue> = Object.create(null)
  for (const [key, item] of Object.entries(value)) {
    const name = key === proto ? '__proto__' : key
    object[name] = tidy(item, child(at, name), listLength)
  }
  return object
}
