/** The statements that mend what `find-damage.ts` finds in a table. */
import type { Sql } from '@octavo/database'
import { column, join, sql } from '@octavo/database'
import type { Registry } from '../../content-type/model.ts'
import type { Table } from '../tables/tables.ts'
import { hasOwners, isLost, isOwnerLost, modelsOf } from './find-damage.ts'

/** Rows after the first with the same key; an index would find only some of them. */
const repeated = ({ name, primaryKey }: Table): Sql =>
  sql`ctid in (select place from (select ctid as place, row_number() over (partition by ${join(primaryKey.map(sql.id), ', ')} order by ctid) as n from ${sql.id(name)}) as ranked where n > 1)`

/** Gives each row after the first with an id a new one, so that nothing is lost. */
export const giveIds = (table: Table): readonly Sql[] => [
  ...setIds(table),
  sql`update ${sql.id(table.name)} set id = nextval(${sequenceOf(table)}) where ${repeated(table)}`,
]

/** Removes links that are there twice. */
export const removeRepeated = (table: Table): readonly Sql[] => [
  sql`delete from ${sql.id(table.name)} where ${repeated(table)}`,
]

/** Does with the links to rows that are gone what a delete of these rows would have done. */
export const withoutTargets = ({ name, columns }: Table): readonly Sql[] =>
  columns.flatMap(({ name: key, references }) => {
    if (!references) return []
    const lost = isLost(column('r', key), references.table)
    return references.onDelete === 'cascade'
      ? sql`delete from ${sql.id(name)} as r where ${lost}`
      : sql`update ${sql.id(name)} as r set ${sql.id(key)} = null where ${lost}`
  })

export const removeWithoutOwner = ({ name, columns }: Table, registry: Registry): readonly Sql[] =>
  hasOwners(columns)
    ? modelsOf(registry).map((model) => sql`delete from ${sql.id(name)} as r where ${isOwnerLost(model)}`)
    : []

export const setIds = (table: Table): readonly Sql[] =>
  table.primaryKey[0] === 'id'
    ? [
        sql`select setval(${sequenceOf(table)}, max(id)) from ${sql.id(table.name)} having max(id) is not null`,
      ]
    : []

const sequenceOf = ({ name }: Table): Sql => sql`pg_get_serial_sequence(${sql.lit(`"${name}"`)}, 'id')`
