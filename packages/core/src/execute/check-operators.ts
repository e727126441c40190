import type { Queryable } from '@octavo/database'
import { sql, table } from '@octavo/database'
import { valueSql } from '../compile/value.ts'
import { isComparable, type Model, type Registry, type ValueAttribute } from '../content-type/model.ts'
import type { AddedOperator, DeclaredOperators } from '../operator/added.ts'
import { PluginError } from '../plugin/plugin-error.ts'

/**
 * Has the database check the conditions of plugins' operators, with their examples, so that a mistake stops the start. Without
 * such operators it runs no statement; otherwise one for each operator and attribute type.
 *
 * @throws PluginError with the operator and PostgreSQL's message
 */
export async function checkOperators(
  operators: DeclaredOperators,
  { contentTypes, components }: Registry,
  db: Queryable,
): Promise<void> {
  const models = [...contentTypes.values(), ...components.values()]
  for (const operator of operators.values())
    for (const type of operator.on) {
      const place = firstOf(type, models)
      if (place) await checkOperator(operator, place, db)
    }
}

interface Place {
  readonly model: Model
  readonly attribute: ValueAttribute
}

function firstOf(type: string, models: readonly Model[]): Place | undefined {
  for (const model of models)
    for (const attribute of model.attributes.values())
      if (isComparable(attribute) && attribute.type.name === type) return { model, attribute }
  return undefined
}

async function checkOperator(
  { name, plugin, read, example }: AddedOperator,
  { model, attribute }: Place,
  db: Queryable,
): Promise<void> {
  const condition = read(example)(valueSql(attribute, 't'))
  try {
    await db.run(sql`select from ${table(model.table, 't')} where false and (${condition})`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PluginError(
      plugin,
      undefined,
      `the filter operator "${name}" on ${model.uid}.${attribute.name}: PostgreSQL refuses the condition: ${reason}`,
      error,
    )
  }
}
