import { componentsOf, type Model, type Registry } from '../../content-type/model.ts'

/** An attribute whose values are rows of other tables, which have its name. */
export interface Part {
  /** The uid of the model with the attribute. */
  readonly owner: string
  readonly field: string
  readonly tables: readonly string[]
  /** Whether it reads one row. */
  readonly single: boolean
}

/** The attributes with rows of their own. */
export function partsOf(registry: Registry): readonly Part[] {
  const models: readonly Model[] = [...registry.contentTypes.values(), ...registry.components.values()]
  return models.flatMap(({ uid: owner, attributes }) =>
    [...attributes.values()].flatMap((attribute): Part[] => {
      const of = { owner, field: attribute.name }
      if (attribute.kind === 'relation')
        return attribute.storage.kind === 'link'
          ? [{ ...of, tables: [attribute.storage.table], single: !attribute.many }]
          : []
      const tables = componentsOf(attribute).map((uid) => registry.component(uid).table)
      return tables.length === 0
        ? []
        : [{ ...of, tables, single: attribute.kind === 'component' && !attribute.repeatable }]
    }),
  )
}
