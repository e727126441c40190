/** Columns with hashes of passwords: another type of the attribute would show them, or take readable texts for hashes. */
import { sql, type Transaction } from '@octavo/database'
import type { Model, Registry, ScalarAttribute } from '../content-type/model.ts'
import { existingColumns } from './existing-columns.ts'
import { readNote, writeNote } from './notes.ts'
import { quote } from './quote.ts'
import type { Rename } from './renames/declared-renames.ts'
import type { SchemaRefusal } from './schema-error.ts'

const key = 'secret-columns'

/** The secret columns of a registry, as `table.column`. */
export const secretColumns = (registry: Registry): readonly string[] =>
  scalarsOf(registry)
    .filter(({ attribute }) => attribute.type.secret)
    .map(placeOf)
    .sort()

/** Attributes that became a password, or stopped to be one, in tables with values of the former type. A database without a note has no former types. */
export async function changedSecrets(
  tx: Transaction,
  registry: Registry,
  renames: readonly Rename[],
): Promise<readonly SchemaRefusal[]> {
  const note = await readNote(tx, key)
  if (note === undefined) return []
  const former = new Set(note.split('\n').flatMap((place) => [place, ...renamed(place, renames)]))
  const changed = scalarsOf(registry).filter((one) => one.attribute.type.secret !== former.has(placeOf(one)))
  const existing = await existingColumns(
    tx,
    changed.map(({ model }) => model.table),
  )
  const refusals: SchemaRefusal[] = []
  for (const { model, attribute } of changed) {
    const { table } = model
    const { column } = attribute
    if (!existing.get(table)?.has(column)) continue
    const [row] = await tx.run(
      sql`select count(*) as "n" from ${sql.id(table)} where ${sql.id(column)} is not null`,
    )
    if (Number(row?.n) > 0) refusals.push(refusalOf(model, attribute, Number(row?.n)))
  }
  return refusals
}

/** Notes the secret columns of this update. */
export const noteSecrets = (tx: Transaction, registry: Registry): Promise<void> =>
  writeNote(tx, key, secretColumns(registry).join('\n'))

function refusalOf(
  { uid, table }: Model,
  { name, column, definition: { type } }: ScalarAttribute,
  count: number,
): SchemaRefusal {
  const values = count === 1 ? 'a value' : `${count} values`
  return {
    table,
    column,
    reason:
      type === 'password'
        ? `it has ${values} that everybody who reads the database can read, and ${uid}.${name} is a password now, which stores hashes.`
        : `it has ${values} of a password, and ${uid}.${name} is of the type ${type} now, so that its hashes would be readable. Give the attribute another name to keep them.`,
    sql: `-- to remove the values\nupdate ${quote(table)} set ${quote(column)} = null;`,
  }
}

interface Scalar {
  readonly model: Model
  readonly attribute: ScalarAttribute
}

const placeOf = ({ model, attribute }: Scalar): string => `${model.table}.${attribute.column}`

function scalarsOf(registry: Registry): readonly Scalar[] {
  const models: readonly Model[] = [...registry.contentTypes.values(), ...registry.components.values()]
  return models.flatMap((model) =>
    [...model.attributes.values()].flatMap((attribute) =>
      attribute.kind === 'scalar' ? [{ model, attribute }] : [],
    ),
  )
}

const renamed = (place: string, renames: readonly Rename[]): readonly string[] =>
  renames.flatMap((one) =>
    one.kind === 'column' && place === `${one.table}.${one.from}` ? [`${one.table}.${one.to}`] : [],
  )
