/** The value of a JSON attribute. Some databases have JSON as text, and some encode it twice. `null` for invalid JSON. */
export function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parsedJson(JSON.parse(value))
  } catch {
    return null
  }
}
