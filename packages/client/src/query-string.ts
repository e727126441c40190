/**
 * Writes a query as the server reads it, with brackets:
 *
 *     { filters: { title: { $in: ['a', 'b'] } }, sort: 'title' }
 *     filters[title][$in][0]=a&filters[title][$in][1]=b&sort=title
 *
 * `null` and `undefined` are left out, and times are written in ISO form.
 *
 * @throws TypeError for an empty list in `filters`. A query string has no empty lists: without the condition, the answer
 * would have every entry.
 */
export function queryString(query: object): string {
  const parts: string[] = []
  const write = (name: string, value: unknown): void => {
    if (value === null || value === undefined) return
    if (value instanceof Date) add(name, value.toISOString())
    else if (typeof value !== 'object') add(name, String(value))
    else {
      const items = Object.entries(value)
      if (Array.isArray(value) && items.length === 0 && name.startsWith('filters'))
        throw new TypeError(`${name} is an empty list, which a query cannot express`)
      for (const [key, item] of items) write(`${name}[${encoded(key)}]`, item)
    }
  }
  const add = (name: string, value: string): void => {
    parts.push(`${name}=${encodeURIComponent(value)}`)
  }
  for (const [name, value] of Object.entries(query)) write(encoded(name), value)
  return parts.join('&')
}

/** `$` needs no escape, and stays legible in logs. */
const encoded = (name: string): string => encodeURIComponent(name).replaceAll('%24', '$')
