import { type Sql, sql } from '@octavo/database'
import { InvalidValue, type ScalarType } from '../attribute-type.ts'
import { storable } from './storable.ts'

/** Maximum depth of a JSON value. PostgreSQL and `JSON.stringify` recurse into them. */
export const jsonDepth = 200

/** The common part of all types with a `jsonb` column. The bound value is JSON text. */
export const jsonLike = {
  kind: 'scalar',
  column: () => 'jsonb',
  parameter: 'jsonb',
  operators: ['any', 'prefix'],
  search: 'never',
  secret: false,
  check: () => [],
  // A query string has only texts, which are not converted to numbers: `extra=42` finds "42", not 42.
  fromQuery: (text: string) => JSON.stringify(storable(text)),
  constraints: () => [],
  toJson: (column) => column,
  toJsonText: (column: Sql) => sql`${column}::text`,
  toText: (column) => sql`${column}::text`,
} as const satisfies Partial<ScalarType>

/** Any JSON value. */
export const json: ScalarType = { ...jsonLike, name: 'json', fromJson: toJsonText }

/** A JSON list. */
export const array: ScalarType = {
  ...jsonLike,
  name: 'array',
  fromJson: (value) => {
    if (!Array.isArray(value)) throw new InvalidValue('a list')
    return toJsonText(value)
  },
}

/**
 * The value as JSON text for `jsonb`: no NUL and no lone surrogate in texts and names, no number that JSON
 * lacks, at most {@link jsonDepth} levels. Iterates, so that no depth overflows the stack.
 *
 * @throws InvalidValue
 */
export function toJsonText(value: unknown): string {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: item, depth } = next
    if (depth > jsonDepth) throw new InvalidValue(`JSON of at most ${jsonDepth} levels`)
    if (typeof item === 'string') storable(item)
    else if (Array.isArray(item)) for (const child of item) open.push({ value: child, depth: depth + 1 })
    else if (isPlainObject(item)) {
      for (const [name, child] of Object.entries(item)) {
        storable(name)
        open.push({ value: child, depth: depth + 1 })
      }
    } else if (
      item !== null &&
      typeof item !== 'boolean' &&
      !(typeof item === 'number' && Number.isFinite(item))
    ) {
      throw new InvalidValue('a JSON value')
    }
  }
  return JSON.stringify(value)
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
