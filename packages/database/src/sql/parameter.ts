import type { Bindable } from './sql.ts'

/**
 * Serialises a parameter to PostgreSQL's text format, so that both engines send the same text whatever the parameter's
 * type: their own conversions differ for dates, booleans and lists.
 *
 *     true → 't'    [1, null, 'a"b'] → '{"1",NULL,"a\"b"}'    new Date(0) → '1970-01-01T00:00:00.000Z'
 */
export function toParameter(value: Bindable): string | null {
  if (value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number') return String(value)
  return `{${value.map(element).join(',')}}`
}

function element(value: string | number | boolean | null): string {
  return value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`
}
