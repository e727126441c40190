/** Lists of texts in values of custom fields: as JSON, or as a text that has the JSON, as older versions stored them. */

export interface TextList {
  readonly items: readonly string[]
  /** The value of another list, in the form of this one. */
  readonly withItems: (items: readonly string[]) => unknown
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** @returns `undefined` for a value of another form, which only JSON shows as it is */
export function listIn(value: unknown, type: string): TextList | undefined {
  if (value === null || value === undefined)
    return { items: [], withItems: type === 'json' ? (items) => items : (items) => JSON.stringify(items) }
  if (isTexts(value)) return { items: value, withItems: (items) => items }
  if (typeof value !== 'string') return undefined
  try {
    const items: unknown = JSON.parse(value)
    return isTexts(items) ? { items, withItems: (next) => JSON.stringify(next) } : undefined
  } catch {
    return undefined
  }
}

export interface Choice {
  readonly value: string
  readonly label: string
}

/** The options of a definition: `Label:value`, or a text that is both. */
export const choicesOf = (options: unknown): readonly Choice[] =>
  isTexts(options)
    ? options.map((option) => {
        const [label = '', value = label] = option.split(':')
        return { label: label.trim(), value: value.trim() }
      })
    : []
