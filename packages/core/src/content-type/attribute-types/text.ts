import type { Bindable, ScalarType } from '../attribute-type.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import { checkLengths, checkRegex } from './definition-checks.ts'
import { matches } from './regex.ts'
import { readText, storable } from './storable.ts'

/** The common part of all types with a `text` column. */
export const textual = {
  kind: 'scalar',
  column: () => 'text',
  parameter: 'text',
  operators: ['any', 'ordered', 'prefix'],
  search: 'text',
  secret: false,
  check: (definition: AttributeDefinition) => [...checkLengths(definition), ...checkRegex(definition)],
  fromQuery: storable,
  fromJson: readText,
  constraints: textConstraints,
  toJson: (column) => column,
  toText: (column) => column,
} as const satisfies Omit<ScalarType, 'name'>

export const string: ScalarType = { ...textual, name: 'string' }
export const text: ScalarType = { ...textual, name: 'text' }
export const richtext: ScalarType = { ...textual, name: 'richtext' }

/**
 * `minLength`, `maxLength` (in UTF-16 units, as in the reference) and `regex`. An empty text is checked against
 * `regex` only when the attribute is required: clients send it for empty fields. A text that is too long is not checked against
 * `regex`, which may take long.
 *
 * @param most Characters above which the type refuses every text.
 * @throws ValidationError `entry/slow-regex`
 */
export function textConstraints(
  value: Bindable,
  { minLength, maxLength, regex, required }: AttributeDefinition,
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  if (typeof value !== 'string') return []
  const violations: string[] = []
  if (typeof minLength === 'number' && value.length < minLength)
    violations.push(`must be at least ${minLength} characters`)
  if (typeof maxLength === 'number' && value.length > maxLength)
    return [...violations, `must be at most ${maxLength} characters`]
  if (value.length > most) return violations
  if ((typeof regex === 'string' || regex instanceof RegExp) && (value !== '' || required === true)) {
    if (!matches(value, regex))
      violations.push(`must match ${regex instanceof RegExp ? regex : `/${regex}/`}`)
  }
  return violations
}
