/** Which new parts a person can save, of those whose fields the person may write in part. */
import { type FormModel, fieldsOf, schemaOf } from '../../form/index.ts'

/**
 * Whether a new part gets all that it requires: from the person, or from a default.
 *
 * @param path Of the field that would have the part: `seo`.
 * @param mayGive Whether the person may write a path such as `seo.metaTitle`.
 */
export const isAddable = (
  model: FormModel,
  uid: string,
  path: string,
  mayGive: (path: string) => boolean,
): boolean =>
  fieldsOf(schemaOf(model, uid)).every(({ name, definition, shape }) => {
    const here = `${path}.${name}`
    if (definition.required !== true || (definition.default ?? null) !== null) return true
    if (!mayGive(here)) return shape.kind === 'components' && shape.many && !(Number(definition.min) > 0)
    return shape.kind !== 'components' || shape.uids.some((inner) => isAddable(model, inner, here, mayGive))
  })
