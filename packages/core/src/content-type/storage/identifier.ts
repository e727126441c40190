import { createHash } from 'node:crypto'

/** Maximum bytes of a name in PostgreSQL, which truncates longer names silently. */
export const identifierBytes = 63

/** `metaTitle` → `meta_title`, `HTTPServer` → `http_server`, `reading-list` → `reading_list` */
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

/**
 * Joins the parts to one name of a table or column. A name that is too long is shortened and gets a hash of the whole, so
 * that the same parts always give the same name and different parts different names.
 */
export function identifier(...parts: readonly string[]): string {
  const name = parts.join('_')
  if (Buffer.byteLength(name) <= identifierBytes) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  // The names are ASCII: they were checked before.
  return `${name.slice(0, identifierBytes - hash.length - 1)}_${hash}`
}
