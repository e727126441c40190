import type { Model, ScalarAttribute } from '../../content-type/model.ts'

/** An attribute by which the kept totals of a content-type are divided. */
export interface TotalPart {
  readonly attribute: ScalarAttribute
  /** `value`: a total for each value; `presence`: one for rows with a value and one for rows without. */
  readonly by: 'value' | 'presence'
}

/** The parts of the kept totals of a model, in the order of its attributes; `undefined`: its totals are counted. */
export function totalParts(model: Model): readonly TotalPart[] | undefined {
  if (model.kind === 'component' || model.options.totals !== 'kept') return undefined
  return [...model.attributes.values()].flatMap((attribute): readonly TotalPart[] => {
    if (attribute.kind !== 'scalar') return []
    const by = attribute.definition.countedBy
    return by === 'value' || by === 'presence' ? [{ attribute, by }] : []
  })
}
