/** Finds out which new entries and parts a person can save who may write only some of their fields. */
import { type Field, type FormModel, type FormSchema, fieldsOf, schemaOf } from '../../form/index.ts'

/**
 * Whether the person may write a path such as `seo.metaTitle`.
 *
 * @param isZone Whether it is a zone, which the server takes as a whole.
 */
export type MayWrite = (path: string, isZone: boolean) => boolean

/** The place in an entry that would have something new. */
interface Place {
  readonly model: FormModel
  /** `''` for the entry itself. */
  readonly path: string
  readonly mayWrite: MayWrite
}

/** The required fields of a new entry or part that would get no value: neither from the person, nor from a default. */
export const lackingIn = (schema: FormSchema, place: Place): readonly string[] =>
  fieldsOf(schema).flatMap((field) => (isLacking(field, place) ? [field.name] : []))

/** Whether a new part gets all that it requires. */
export const isAddable = (uid: string, place: Place): boolean =>
  lackingIn(schemaOf(place.model, uid), place).length === 0

function isLacking({ name, definition, shape }: Field, { model, path, mayWrite }: Place): boolean {
  if (definition.required !== true || (definition.default ?? null) !== null) return false
  const pathOf = (field: string): string => (path === '' ? field : `${path}.${field}`)
  const here = pathOf(name)
  if (!mayWrite(here, shape.kind === 'components' && shape.zone))
    return definition.generate !== true || !mayWrite(pathOf(String(definition.targetField)), false)
  if (shape.kind !== 'components' || (shape.many && !(Number(definition.min) > 0))) return false
  return !shape.uids.some((inner) => isAddable(inner, { model, path: here, mayWrite }))
}
