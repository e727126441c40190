/** Checks of keys that several attribute types have. They return mistakes and never throw. */
import type { DefinitionMistake } from '../attribute-type.ts'
import type { AttributeDefinition } from '../definition/definition.ts'

const mistake = (key: string, message: string): readonly DefinitionMistake[] => [{ path: [key], message }]

/** `minLength` and `maxLength`: whole numbers from 0, in order. */
export function checkLengths(definition: AttributeDefinition): readonly DefinitionMistake[] {
  return checkRange(definition, 'minLength', 'maxLength', 'a whole number from 0', count)
}

/** `min` and `max` of a number; those of a `biginteger` may be texts of digits. */
export function checkBounds(definition: AttributeDefinition): readonly DefinitionMistake[] {
  return checkRange(definition, 'min', 'max', 'a number', numeric)
}

/** `min` and `max` of a repeatable component or a dynamic zone. */
export function checkCounts(definition: AttributeDefinition): readonly DefinitionMistake[] {
  return checkRange(definition, 'min', 'max', 'a whole number from 0', count)
}

/** `regex`: the text of a JavaScript regular expression, without slashes around it. */
export function checkRegex({ regex }: AttributeDefinition): readonly DefinitionMistake[] {
  if (regex === undefined || regex === null || regex instanceof RegExp) return []
  if (typeof regex !== 'string') return mistake('regex', 'must be the text of a regular expression')
  try {
    new RegExp(regex)
    return []
  } catch (error) {
    return mistake('regex', `is no regular expression: ${error instanceof Error ? error.message : 'unknown'}`)
  }
}

type NumberReader = (value: unknown) => number | undefined

function checkRange(
  definition: AttributeDefinition,
  low: string,
  high: string,
  expected: string,
  read: NumberReader,
): readonly DefinitionMistake[] {
  const wrong = [low, high].filter((key) => given(definition[key]) && read(definition[key]) === undefined)
  if (wrong.length > 0) return wrong.map((key) => ({ path: [key], message: `must be ${expected}` }))
  const [least, most] = [read(definition[low]), read(definition[high])]
  if (least === undefined || most === undefined || least <= most) return []
  return mistake(low, `must not be greater than ${high}, which is ${most}`)
}

/** `null` is treated as absent: the reference's editor writes it. */
const given = (value: unknown): boolean => value !== undefined && value !== null

const count: NumberReader = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

const numeric: NumberReader = (value) => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? Number(value) : undefined
}
