import { param, type Sql, sql } from '@octavo/database'
import { ownedBy } from '../../compile/from.ts'
import { type Model, ownerColumns, type Registry } from '../../content-type/model.ts'
import type { RowWrite } from '../input/write-plan.ts'
import { among, componentsIn, modelsBelow, partsIn, withParts } from './parts.ts'

/** Deletes an entry with its components and links. Foreign keys remove the relations of other entries to it. @param id An expression. */
export const deletionOf = (model: Model, id: Sql, registry: Registry): Sql =>
  deletion([sql`select ${sql.lit(model.uid)}::text, ${id}`], [model], registry)

/** Deletes the components that are no longer among the items of a row's written attributes; `undefined`: it writes none. @param id An expression. */
export function deletionOfLeftOut(row: RowWrite, id: Sql, registry: Registry): Sql | undefined {
  const written = row.components.flatMap(({ attribute, items }) =>
    componentsIn(attribute, registry).map((component) => {
      const keep = items.flatMap((item) => (item.model === component ? (item.id ?? []) : []))
      const isLeftOut = keep.length > 0 ? sql` and "id" <> all(${param(keep, 'int4[]')})` : sql``
      return { component, query: sql`${partsIn(row.model, sql`= ${id}`, attribute, component)}${isLeftOut}` }
    }),
  )
  if (written.length === 0) return undefined
  const queries = written.map(({ query }) => query)
  const components = written.map(({ component }) => component)
  return deletion(queries, components, registry)
}

/** One statement that deletes rows with all that belongs to them: one clause for each table. @param rows Queries `(type, id)`. */
function deletion(rows: readonly Sql[], models: readonly Model[], registry: Registry): Sql {
  const all = modelsBelow(models, registry)
  const from = (table: string, condition: Sql): Sql => sql`delete from ${sql.id(table)} where ${condition}`
  const clauses = [...all].flatMap((model) => {
    const links = [...model.attributes.values()].flatMap((attribute) =>
      attribute.kind === 'relation' && attribute.storage.kind === 'link'
        ? [from(attribute.storage.table, ownedBy(model, attribute.name, among(model)))]
        : [],
    )
    const ofEntry = sql`${sql.id(ownerColumns.id)} ${among(model)} and ${sql.id(ownerColumns.type)} = ${sql.lit(model.uid)}`
    const morphs =
      model.kind === 'component' ? [] : [...registry.morphTables].map((table) => from(table, ofEntry))
    return [from(model.table, sql`"id" ${among(model)}`), ...links, ...morphs]
  })
  const named = clauses.map((clause, i) => sql`${sql.id(`d${i}`)} as (${clause})`)
  return sql`${withParts(rows, all, registry)}, ${sql.join(named)} select 1`
}
