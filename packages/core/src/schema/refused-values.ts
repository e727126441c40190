/** Stored values that the definitions refuse, because a rule was added or an enumeration lost a value. */
import { join, type Queryable, type Sql, sql } from '@octavo/database'
import type { Model, Registry, ScalarAttribute } from '../content-type/model.ts'
import { existingColumns } from './existing-columns.ts'

/** Values in a sentence. */
const shown = 3

/**
 * Sentences about values outside of `enum`, below `min`, above `max` or longer than `maxLength`. Such values are read as before, and refused when a
 * client sends them back. Reads each table that has such attributes once for each of them.
 */
export async function refusedValues(
  db: Pick<Queryable, 'run'>,
  registry: Registry,
): Promise<readonly string[]> {
  const models: readonly Model[] = [...registry.contentTypes.values(), ...registry.components.values()]
  const existing = await existingColumns(
    db,
    models.map(({ table }) => table),
  )
  const sentences: string[] = []
  for (const model of models)
    for (const attribute of model.attributes.values()) {
      if (attribute.kind !== 'scalar' || !existing.get(model.table)?.has(attribute.column)) continue
      const rules = rulesOf(attribute)
      if (rules.length > 0) sentences.push(...(await sentenceOf(db, model, attribute, join(rules, ' or '))))
    }
  return sentences
}

async function sentenceOf(
  db: Pick<Queryable, 'run'>,
  { uid, table }: Model,
  { name, column }: ScalarAttribute,
  isRefused: Sql,
): Promise<readonly string[]> {
  const value = sql.id(column)
  const rows = await db.run(
    sql`select left(${value}::text, 40) as "value", sum(count(*)) over () as "rows" from ${sql.id(table)} where ${isRefused} group by ${value} order by count(*) desc, 1 limit ${sql.lit(shown)}`,
  )
  const count = Number(rows[0]?.rows ?? 0)
  if (count === 0) return []
  const values = rows.map((row) => JSON.stringify(row.value)).join(', ')
  return [
    `${uid}: its definition refuses stored values of "${name}" (${count}), such as ${values}. They are still read; a write that sends one is refused.`,
  ]
}

/** The conditions of values that a definition refuses. */
function rulesOf({ column, type, definition }: ScalarAttribute): readonly Sql[] {
  const value = sql.id(column)
  const { enum: listed, min, max, maxLength } = definition
  const rules: Sql[] = []
  if (type.name === 'enumeration' && Array.isArray(listed))
    rules.push(
      sql`${value} not in (${join(
        listed.map((one) => sql.lit(String(one))),
        ', ',
      )})`,
    )
  if (isNumber[type.name]) {
    if (typeof min === 'number') rules.push(sql`${value} < ${sql.lit(min)}`)
    if (typeof max === 'number') rules.push(sql`${value} > ${sql.lit(max)}`)
  }
  // PostgreSQL counts a character outside of the basic plane once, and the rule twice.
  if (isText[type.name] && typeof maxLength === 'number')
    rules.push(sql`char_length(${value}) > ${sql.lit(maxLength)}`)
  return rules
}

const isNumber: Readonly<Record<string, true>> = {
  integer: true,
  biginteger: true,
  float: true,
  decimal: true,
}
const isText: Readonly<Record<string, true>> = {
  string: true,
  text: true,
  richtext: true,
  email: true,
  uid: true,
}
