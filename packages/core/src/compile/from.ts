import { type Aliases, column, join, type Sql, sql, table, where } from '@octavo/database'
import {
  type ComponentAttribute,
  type Model,
  ownerColumns,
  type RelationAttribute,
  type UsesAttribute,
} from '../content-type/model.ts'
import type { PlanOwner } from '../plan/plan.ts'
import { inTime } from './guards.ts'

/** The SQL to reach the rows of a relation or component of one parent. */
export interface RelatedRows {
  readonly from: Sql
  /** The condition that joins the rows to the parent. */
  readonly on: Sql
  /**
   * The conditions that end the statement when its time is over: one on the row that belongs to the parent, and one on the entry.
   * PostgreSQL may read the table of the entries once for all parents, so the second alone would not suffice.
   */
  readonly inTime: readonly (Sql | undefined)[]
  /** The order of connection; ends in a unique key. Empty when there is at most one row. */
  readonly order: readonly Sql[]
}

/** @param parent Alias of the parent's row. @param child Alias of the related rows. */
export function relatedRows(
  attribute: RelationAttribute | ComponentAttribute,
  owner: Model,
  parent: string,
  target: Model,
  child: string,
  aliases: Aliases,
): RelatedRows {
  const direct = table(target.table, child)
  const id = column(child, target.id.column)
  const parentId = column(parent, owner.id.column)
  const entry = inTime(id, aliases)
  if (attribute.kind === 'component') {
    return {
      from: direct,
      inTime: [entry],
      on: ownedBy(owner, attribute.name, sql`= ${parentId}`, child),
      order: [column(child, ownerColumns.position), id],
    }
  }
  const { storage } = attribute
  switch (storage.kind) {
    case 'own':
      return {
        from: direct,
        inTime: [entry],
        on: sql`${id} = ${column(parent, storage.column)}`,
        order: [],
      }
    case 'foreign':
      return {
        from: direct,
        inTime: [entry],
        on: sql`${column(child, storage.column)} = ${parentId}`,
        order: storage.position ? [column(child, storage.position), id] : [id],
      }
    case 'siblings':
      return {
        from: direct,
        inTime: [entry],
        on: sql`${column(child, storage.column)} = ${column(parent, storage.column)} and ${id} <> ${parentId}`,
        order: [id],
      }
    case 'join': {
      const link = aliases.next()
      return {
        from: sql`${table(storage.table, link)} join ${direct} on ${id} = ${column(link, storage.target)}`,
        inTime: [inTime(column(link, storage.own), aliases), entry],
        on: sql`${column(link, storage.own)} = ${parentId}`,
        order: [column(link, storage.position), id],
      }
    }
    case 'link': {
      const link = aliases.next()
      return {
        from: sql`${table(storage.table, link)} join ${direct} on ${id} = ${column(link, storage.target)}`,
        inTime: [inTime(column(link, ownerColumns.id), aliases), entry],
        on: ownedBy(owner, attribute.name, sql`= ${parentId}`, link),
        order: [column(link, ownerColumns.position), column(link, 'id')],
      }
    }
  }
}

/** The entries of one content-type that link to an entry, each once. @param id The id of the linked entry. */
export function usersOf(
  { table: links, column: target }: UsesAttribute,
  { node: { model }, attributes }: PlanOwner,
  id: Sql,
  aliases: Aliases,
): { readonly alias: string; readonly on: readonly (Sql | undefined)[] } {
  const alias = aliases.next()
  const link = aliases.next()
  const own = column(alias, model.id.column)
  const names = join(
    attributes.map(({ name }) => sql`${sql.lit(name)}`),
    ', ',
  )
  const linked = where([
    sql`${column(link, target)} = ${id}`,
    sql`${column(link, ownerColumns.type)} = ${sql.lit(model.uid)}`,
    sql`${column(link, ownerColumns.field)} in (${names})`,
    inTime(column(link, ownerColumns.id), aliases),
  ])
  return {
    alias,
    on: [
      sql`${own} in (select ${column(link, ownerColumns.id)} from ${table(links, link)}${linked})`,
      inTime(own, aliases),
    ],
  }
}

/**
 * The condition for what belongs to an attribute of rows of a model: components, and rows of link tables. Uid and field come from
 * definitions, so they are part of the text.
 * @param isOwner The condition on the owner's id, such as `= 7`. @param alias Default: the columns have no alias.
 */
export function ownedBy({ uid }: Model, field: string, isOwner: Sql, alias?: string): Sql {
  const of = (name: string): Sql => (alias === undefined ? sql.id(name) : column(alias, name))
  return sql`${of(ownerColumns.type)} = ${sql.lit(uid)} and ${of(ownerColumns.id)} ${isOwner} and ${of(ownerColumns.field)} = ${sql.lit(field)}`
}
