import type { SchemaDifference } from '@mikro-orm/postgresql'
import { sql, type Transaction } from '@octavo/database'
import type { Model, Registry, ScalarAttribute } from '../content-type/model.ts'
import { neverFilled } from './unfilled-attributes.ts'

/**
 * Sentences about new attributes that are required or have a default, in tables that have rows: these have no value there, and writes
 * of theirs are refused or show null.
 */
export async function unfilledColumns(
  tx: Transaction,
  difference: Pick<SchemaDifference, 'changedTables'>,
  registry: Registry,
): Promise<readonly string[]> {
  const sentences: string[] = []
  const models = [...registry.contentTypes.values(), ...registry.components.values()]
  for (const changed of Object.values(difference.changedTables)) {
    const model = models.find(({ table }) => table === changed.name)
    const added = [...(model?.attributes.values() ?? [])].filter(
      (attribute): attribute is ScalarAttribute =>
        attribute.kind === 'scalar' &&
        // Plugins give these their values as soon as the tables are made.
        !neverFilled.has(attribute.name) &&
        Object.hasOwn(changed.addedColumns, attribute.column) &&
        (attribute.definition.required === true || attribute.definition.default !== undefined),
    )
    if (!model || added.length === 0) continue
    const [{ count } = { count: 0 }] = await tx.run(sql`select count(*) from ${sql.id(model.table)}`)
    if (Number(count) > 0)
      sentences.push(...added.map((attribute) => sentenceOf(model, attribute, Number(count))))
  }
  return sentences
}

function sentenceOf(
  { kind, uid, table }: Model,
  { name, column, definition }: ScalarAttribute,
  count: number,
): string {
  const rows = count === 1 ? 'the entry that is there has' : `the ${count} entries that are there have`
  const what =
    definition.default === undefined
      ? `is required, and ${rows} no value: an update that sends it as null is refused`
      : `has a default for new entries, and ${rows} no value`
  const value = definition.default === undefined ? ' --value …' : ''
  // Components have no entries of their own.
  const command = kind === 'component' ? '' : `octavo migrate fill ${uid}.${name}${value}, or `
  return `${uid}: the new attribute "${name}" ${what}. To fill it: ${command}update "${table}" set "${column}" = … where "${column}" is null`
}
