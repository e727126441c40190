/** The text of a query, which the pages and the server write in the same way. */

/** Nested names: `{ filters: { title: { $eq: 'x' } } }`. `undefined` is left out. */
export interface Query {
  readonly [name: string]: QueryValue
}
type QueryValue = string | number | boolean | undefined | readonly QueryValue[] | Query

export function queryText(query: Query): string {
  const parts: string[] = []
  const write = (name: string, value: QueryValue): void => {
    if (value === undefined) return
    if (typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) write(name === '' ? key : `${name}[${key}]`, inner)
    else parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  }
  write('', query)
  return parts.join('&')
}
