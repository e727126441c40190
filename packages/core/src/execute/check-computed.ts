import type { Queryable } from '@octavo/database'
import { ConfigurationError, column, sql, table } from '@octavo/database'
import { valueSql } from '../compile/value.ts'
import type { Model, Registry } from '../content-type/model.ts'
import { PluginError } from '../plugin/plugin-error.ts'

/**
 * Has the database check the expressions of computed attributes, so that a mistake stops the start. Without such attributes it
 * runs no statement.
 *
 * @throws PluginError or ConfigurationError with the attribute and PostgreSQL's message
 */
export async function checkComputed({ contentTypes, components }: Registry, db: Queryable): Promise<void> {
  for (const model of [...contentTypes.values(), ...components.values()]) await checkModel(model, db)
}

async function checkModel(model: Model, db: Queryable): Promise<void> {
  for (const attribute of model.attributes.values()) {
    if (attribute.kind !== 'computed' || attribute.compute.kind !== 'sql') continue
    const { place, plugin } = attribute
    try {
      // The id makes aggregates invalid.
      await db.run(
        sql`select ${column('t', model.id.column)}, ${valueSql(attribute, 't')} as "value" from ${table(model.table, 't')} where false`,
      )
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const message = `${place}: PostgreSQL refuses the expression: ${reason}`
      throw plugin === undefined
        ? new ConfigurationError(message)
        : new PluginError(plugin, 'attribute:computed', message, error)
    }
  }
}
