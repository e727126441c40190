import { InvalidValue, type ScalarType, typeOfAttribute } from '../attribute-type.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import type { Draft } from '../draft/drafts.ts'
import { isGiven } from '../draft/given.ts'
import { show } from '../draft/names.ts'
import type { ScalarAttribute } from '../model.ts'
import { identifierBytes } from '../storage/identifier.ts'
import { isSystemColumn, scalarColumn } from '../storage/storage-names.ts'

export function checkedScalar(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  given: ScalarType,
): ScalarAttribute {
  const path = ['attributes', name]
  const type = typeOfAttribute(given, `${draft.uid}.${name}`)
  const mistakes = type.check(definition)
  for (const mistake of mistakes) draft.report([...path, ...mistake.path], mistake.message)
  if (mistakes.length === 0) checkDefault(draft, path, definition, type)
  const from: unknown = definition.publicFrom
  if (isGiven(from) && typeof from !== 'boolean')
    draft.report([...path, 'publicFrom'], `must be true or false, not ${show(from)}`)
  else if (from && type.parameter !== 'timestamptz')
    draft.report(
      [...path, 'publicFrom'],
      `is of attributes of the type "datetime", not of ${show(type.name)}`,
    )
  checkColumnName(draft, path, definition)
  return scalar(draft, name, definition, type)
}

function checkColumnName(draft: Draft, path: readonly string[], { columnName }: AttributeDefinition): void {
  if (isSystemColumn(columnName))
    draft.report([...path, 'columnName'], `${show(columnName)} is a column that PostgreSQL gives every table`)
  if (!isGiven(columnName) || isColumnName(columnName)) return
  draft.report(
    [...path, 'columnName'],
    `must be small letters, digits and _, with a letter first, at most ${identifierBytes} characters, not ${show(columnName)}`,
  )
}

const isColumnName = (given: unknown): given is string =>
  typeof given === 'string' && given.length <= identifierBytes && /^[a-z][a-z0-9_]*$/.test(given)

/** Checks that the default is a valid value, else every create that uses it would fail. Functions are not called here. */
function checkDefault(
  draft: Draft,
  path: readonly string[],
  definition: AttributeDefinition,
  type: ScalarType,
): void {
  const { default: given } = definition
  if (!isGiven(given) || typeof given === 'function') return
  try {
    for (const violation of type.constraints(type.fromJson(given, definition), definition))
      draft.report([...path, 'default'], violation)
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    draft.report([...path, 'default'], `must be ${error.message}, not ${show(given)}`)
  }
}

export function scalar(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  type: ScalarType,
): ScalarAttribute {
  return {
    kind: 'scalar',
    name,
    definition,
    private: definition.private === true || type.secret,
    type,
    column: isColumnName(definition.columnName) ? definition.columnName : scalarColumn(draft, name),
  }
}
