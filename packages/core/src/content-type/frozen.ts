/** A map that nobody can change: `Object.freeze` alone leaves `set` working. */
export function frozenMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const map = new Map(entries)
  const refuse = (): never => {
    throw new TypeError('The registry does not change.')
  }
  return Object.freeze(Object.assign(map, { set: refuse, delete: refuse, clear: refuse }))
}

/** Levels that a definition may nest. */
const maxDepth = 64

/**
 * A frozen copy of plain data, so that neither freezing touches what the caller holds, nor what the caller does later
 * reaches the registry. Functions (a `default`) and instances of classes (a RegExp) are kept as they are.
 *
 * @throws RangeError when it nests deeper than 64 levels, as circular data does.
 */
export function frozenCopy<T>(value: T, depth = 0): T {
  if (depth > maxDepth) throw new RangeError(`nests deeper than ${maxDepth} levels, or is circular`)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, depth + 1))) as T
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy = { ...value } as Record<PropertyKey, unknown>
  for (const key of Object.keys(copy)) {
    // Not by assignment: a key `__proto__` would set the prototype.
    Object.defineProperty(copy, key, { value: frozenCopy(copy[key], depth + 1), enumerable: true })
  }
  return Object.freeze(copy) as T
}
