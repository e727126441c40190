import { type Bindable, InvalidUnlessStored, InvalidValue } from '../../content-type/attribute-type.ts'
import type { ScalarAttribute } from '../../content-type/model.ts'
import type { InputMistakes } from './mistakes.ts'
import type { BodyPath, KeptParts } from './write-plan.ts'

/** The mistake of an invalid value. */
export const mustBe = (expected: string): string => `{at} must be ${expected}`

/** @param kept For a row that exists: accepts a value that is valid only if it is stored already. */
export function readScalar(
  attribute: ScalarAttribute,
  value: unknown,
  at: BodyPath,
  { lenient, mistakes }: { readonly lenient: boolean; readonly mistakes: InputMistakes },
  kept: KeptParts[] | undefined,
): Bindable | undefined {
  const { definition, type } = attribute
  const mayBeNull = definition.required !== true || lenient
  try {
    const read = value === null ? null : type.fromJson(value, definition)
    if (read === null) {
      if (!mayBeNull) mistakes.add(at, '{at} may not be null.')
      return mayBeNull ? null : undefined
    }
    const enforced = lenient ? { ...definition, minLength: undefined } : definition
    for (const message of type.constraints(read, enforced)) mistakes.add(at, `{at} ${message}`)
    return read
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    if (kept && error instanceof InvalidUnlessStored) {
      kept.push({ attribute, parts: error.parts, at })
      return error.value
    }
    mistakes.add(at, mustBe(error.message))
    return undefined
  }
}
