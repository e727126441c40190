/**
 * Writes a query as the server reads it, with brackets:
 *
 *     { filters: { title: { $in: ['a', 'b'] } }, sort: 'title' }
 *     filters[title][$in][0]=a&filters[title][$in][1]=b&sort=title
 *
 * `null` and `undefined` are left out, and times are written in ISO form. An object without options in `populate` is
 * written as `true`.
 *
 * @throws TypeError for an empty list in `filters`, also in those of `populate`, except where it holds for every entry
 * (`$and`, `$notIn`), and for a promise, a `Set` and other objects without names. A query string cannot express them: without the
 * condition, the answer would have every entry.
 */
export function queryString(query: object): string {
  const parts: string[] = []
  const write = (name: string, value: unknown, place: Place): void => {
    if (value === null || value === undefined) return
    if (value instanceof Date) add(name, value.toISOString())
    else if (typeof value !== 'object') add(name, String(value))
    else {
      const before = parts.length
      const isList = Array.isArray(value)
      const items = Object.entries(value)
      const kind = value.constructor?.name ?? 'Object'
      if (items.length === 0 && !isList && kind !== 'Object')
        throw new TypeError(`${name} is a ${kind}, which a query cannot express`)
      for (const [key, item] of items)
        write(`${name}[${encoded(key)}]`, item, isList ? place : within(place, key))
      if (parts.length > before) return
      if (isList && place === 'filters' && !holdsWhenEmpty.test(name))
        throw new TypeError(`${name} is an empty list, which a query cannot express`)
      if (!isList && place === 'options') add(name, 'true')
    }
  }
  const add = (name: string, value: string): void => {
    parts.push(`${name}=${encodeURIComponent(value)}`)
  }
  for (const [name, value] of Object.entries(query)) write(encoded(name), value, within('options', name))
  return parts.join('&')
}

/** The places of an empty list that holds for every entry, as no condition does. Below `$or` and `$not` it would have to be written. */
const holdsWhenEmpty = /^(?!.*\[\$(?:or|not)\]).*\[\$(?:and|notIn)\]$/

/** The content of a part of a query: conditions, names that are populated, the options of such a name, or a value. */
type Place = 'filters' | 'names' | 'options' | 'value'

const within = (place: Place, key: string): Place => {
  if (place === 'names') return 'options'
  if (place !== 'options') return place
  return key === 'filters' ? 'filters' : key === 'populate' || key === 'on' ? 'names' : 'value'
}

/** `$` needs no escape, and stays legible in logs. */
const encoded = (name: string): string => encodeURIComponent(name).replaceAll('%24', '$')
