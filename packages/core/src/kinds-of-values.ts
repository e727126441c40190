/** Whether a value of a body or a file is an object with keys: neither a list nor null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an object has the class `Object` or none, unlike a promise or a `Set`. One of another realm, such as a test's, has it too. */
export const isPlain = (value: object): boolean => (value.constructor?.name ?? 'Object') === 'Object'

/** The kind of a value, for messages: `a list`. */
export const kindOf = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object'
          ? 'an object'
          : `a ${typeof value}`
