/** Characters of a value, or of a message of the library about it, that an error shows. */
const most = 2_000
const items = 10
const levels = 2

/** The beginning of a text that is too long for a message. */
export const cut = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/**
 * The text of a value in a message, as the library writes it: `{ name: "x", ids: [1, 2] }`. The library writes the whole value for
 * each mistake in it; this function stops after the characters that the message shows.
 */
export function shownValue(value: unknown): string {
  let text = ''
  const writeAll = <T>(values: readonly T[], write: (value: T) => void): void => {
    for (const [i, item] of values.entries()) {
      if (text.length > most) return
      if (i > 0) text += ', '
      write(item)
    }
  }
  const write = (part: unknown, level: number): void => {
    if (typeof part === 'string') text += JSON.stringify(part.slice(0, most + 1))
    else if (typeof part !== 'object' || part === null) text += String(part)
    else if ('toJSON' in part && typeof part.toJSON === 'function') text += String(part.toJSON())
    else if (Array.isArray(part)) writeList(part, level)
    else writeObject(part as Readonly<Record<string, unknown>>, level)
  }
  const writeList = (list: readonly unknown[], level: number): void => {
    if (list.length > 0 && level >= levels) {
      text += '[Array]'
      return
    }
    const more = list.length - items
    text += '['
    writeAll(list.slice(0, items), (item) => write(item, level + 1))
    if (more > 0) text += `, ... ${more} more item${more > 1 ? 's' : ''}`
    text += ']'
  }
  const writeObject = (object: Readonly<Record<string, unknown>>, level: number): void => {
    const keys = Object.keys(object)
    if (keys.length === 0 || level >= levels) {
      text += keys.length === 0 ? '{}' : '[Object]'
      return
    }
    text += '{ '
    writeAll(keys, (key) => {
      text += `${key.slice(0, most + 1)}: `
      write(object[key], level + 1)
    })
    text += ' }'
  }
  write(value, 0)
  return cut(text)
}
