/** An immutable map: `Object.freeze` does not disable `set`. */
export function frozenMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const map = new Map(entries)
  const refuse = (): never => {
    throw new TypeError('The registry does not change.')
  }
  return Object.freeze(Object.assign(map, { set: refuse, delete: refuse, clear: refuse }))
}

/** Maximum depth of a definition. */
const maxDepth = 64

/**
 * A frozen deep copy of plain data, so that the caller's object is neither frozen nor shared with the registry.
 * Functions (a `default`) and instances of classes (a RegExp) are not copied.
 *
 * @throws RangeError for more than 64 levels, such as circular data.
 */
export function frozenCopy<T>(value: T, depth = 0): T {
  if (depth > maxDepth) throw new RangeError(`nests deeper than ${maxDepth} levels, or is circular`)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, depth + 1))) as T
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy = { ...value } as Record<PropertyKey, unknown>
  for (const key of Object.keys(copy)) {
    // Not an assignment: a key `__proto__` would set the prototype.
    Object.defineProperty(copy, key, { value: frozenCopy(copy[key], depth + 1), enumerable: true })
  }
  return Object.freeze(copy) as T
}
