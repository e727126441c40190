import type { Model, ScalarAttribute } from '../../content-type/model.ts'
import { onceFor } from '../../once-for.ts'

/** A unique constraint. */
export interface UniqueKey {
  readonly attribute: ScalarAttribute
  /** The scope of uniqueness: with `['locale']` two rows of different locales may have the same value. */
  readonly within: readonly ScalarAttribute[]
}

/**
 * The unique constraints of a model, decided here only: attributes with `unique: true`, and every uid, over all rows or
 * over rows with equal values of the attributes in `uniqueWithin`; and declared unique indexes.
 */
export const uniqueKeys = onceFor((model: Model): readonly UniqueKey[] => {
  const declared = model.indexes.flatMap(({ attributes, unique }): readonly UniqueKey[] => {
    const [attribute, ...within] = attributes.filter(({ kind }) => kind === 'scalar') as ScalarAttribute[]
    return unique && attribute ? [{ attribute, within }] : []
  })
  const own = [...model.attributes.values()].flatMap((attribute) => {
    if (attribute.kind !== 'scalar') return []
    const { unique, uniqueWithin } = attribute.definition
    if (!(unique ?? attribute.type.name === 'uid')) return []
    const names = Array.isArray(uniqueWithin) ? uniqueWithin : []
    const within = names.flatMap((name) => {
      const scope = model.attributes.get(String(name))
      return scope?.kind === 'scalar' ? [scope] : []
    })
    return [{ attribute, within }]
  })
  return [...own, ...declared]
})
