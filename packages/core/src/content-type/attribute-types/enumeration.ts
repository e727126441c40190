import type { DefinitionMistake, ScalarType } from '../attribute-type.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import { textual } from './text.ts'

/** One of the texts in `enum`. A filter with another text matches nothing. */
export const enumeration: ScalarType = {
  ...textual,
  name: 'enumeration',
  check: checkEnum,
  constraints: (value, definition) => {
    const values = valuesOf(definition)
    return typeof value !== 'string' || values.includes(value)
      ? []
      : [`must be one of the following values: ${values.join(', ')}`]
  },
}

const valuesOf = (definition: AttributeDefinition): readonly unknown[] =>
  Array.isArray(definition.enum) ? definition.enum : []

function checkEnum(definition: AttributeDefinition): readonly DefinitionMistake[] {
  const path = ['enum']
  const values = valuesOf(definition)
  if (values.length === 0) return [{ path, message: 'must list the values, such as ["news", "review"]' }]
  const seen = new Set<unknown>()
  return values.flatMap((value, i): DefinitionMistake[] => {
    const here = [...path, String(i)]
    if (typeof value !== 'string') return [{ path: here, message: 'must be text' }]
    if (seen.has(value)) return [{ path: here, message: `"${value}" is listed twice` }]
    seen.add(value)
    return []
  })
}
