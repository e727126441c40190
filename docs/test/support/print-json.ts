/** Characters of a line that the column of the site shows without scrolling. */
const width = 78

/** JSON for readers: an object or a list is on one line where that line is short. */
export function printJson(value: unknown, indent = ''): string {
  const line = onOneLine(value)
  if (indent.length + line.length <= width || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  if (Array.isArray(value))
    return `[\n${value.map((item) => inner + printJson(item, inner)).join(',\n')}\n${indent}]`
  const members = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${printJson(item, inner)}`,
  )
  return `{\n${members.join(',\n')}\n${indent}}`
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Replaces the values of an answer that differ from run to run by examples of their form. */
export const withExamples = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => withExamples(item, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withExamples(item, name)]))
  if (key === 'size') return 12.34
  if (key === 'sizeInBytes') return 12_340
  return typeof value === 'string' ? exampleOf(value, key) : value
}

/** The time of a page's requests. */
const pageTime = '2026-04-01T12:00:00.000Z'

function exampleOf(text: string, key: string): string {
  if (key === 'refreshToken') return 'Zm9v…'
  if (key === 'jwt') return 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9…'
  if (['after', 'before'].includes(key) && text.length > 40) return 'Qm9vazo3…'
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text))
    return Math.abs(Date.parse(text) - Date.now()) < 3_600_000 ? pageTime : text
  return text.replace(/_[0-9a-f]{10}(?=\.|$)/g, '_1f00dcafe5')
}
