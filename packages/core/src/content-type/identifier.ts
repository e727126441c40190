import { createHash } from 'node:crypto'

/** Bytes of a name that PostgreSQL keeps; it would cut the rest silently. */
export const identifierBytes = 63

/** `metaTitle` → `meta_title`, `HTTPServer` → `http_server`, `reading-list` → `reading_list` */
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

/**
 * The parts as one name of a table or column. One that is too long is cut and gets a hash of the whole, so that the same
 * parts always give the same name and two never meet.
 */
export function identifier(...parts: readonly string[]): string {
  const name = parts.join('_')
  if (Buffer.byteLength(name) <= identifierBytes) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  // Only ASCII comes here: names are checked before.
  return `${name.slice(0, identifierBytes - hash.length - 1)}_${hash}`
}
