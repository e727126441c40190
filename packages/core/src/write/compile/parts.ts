import { type Sql, sql } from '@octavo/database'
import { ownedBy } from '../../compile/from.ts'
import {
  type Attribute,
  type Component,
  componentsOf,
  type Model,
  type Registry,
} from '../../content-type/model.ts'

/** A query `(type, id)` of the parts of one component in an attribute of rows, to which a condition may be added. */
export const partsIn = (model: Model, isOwner: Sql, attribute: Attribute, { uid, table }: Component): Sql =>
  sql`select ${sql.lit(uid)}::text as "type", "id" from ${sql.id(table)} where ${ownedBy(model, attribute.name, isOwner)}`

/** The components of an attribute; none for one of another kind. */
export const componentsIn = (attribute: Attribute, registry: Registry): readonly Component[] =>
  componentsOf(attribute).map((uid) => registry.component(uid))

/** Models, and the components in them at any depth. */
export function modelsBelow(models: Iterable<Model>, registry: Registry): ReadonlySet<Model> {
  const found = new Set(models)
  // The loop over a set also visits values that are added meanwhile.
  for (const { attributes } of found)
    for (const attribute of attributes.values())
      for (const component of componentsIn(attribute, registry)) found.add(component)
  return found
}

/**
 * The clause `with` of a statement in which `o` has rows `(type, id)` and the components in them at any depth.
 * @param first Queries of the rows. @param models The models of the rows and those below: {@link modelsBelow}.
 */
export function withParts(first: readonly Sql[], models: Iterable<Model>, registry: Registry): Sql {
  const parts = [...models].flatMap((model) =>
    [...model.attributes.values()].flatMap((attribute) =>
      componentsIn(attribute, registry).map((component) => {
        const query = partsIn(model, sql`= "o"."id"`, attribute, component)
        return sql`${query} and "o"."type" = ${sql.lit(model.uid)}`
      }),
    ),
  )
  const all = sql` union all `
  const below = sql`${all}select "p".* from "o" cross join lateral (${sql.join(parts, all)}) as "p"`
  return sql`with recursive "o" ("type", "id") as (${sql.join(first, all)}${parts.length > 0 ? below : sql``})`
}

/** The ids of a model in `o`, as an array: an index finds the rows that have them, whatever number PostgreSQL expects. */
export const among = ({ uid }: Model): Sql =>
  sql`= any(array(select "id" from "o" where "type" = ${sql.lit(uid)}))`
