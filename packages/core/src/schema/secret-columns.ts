/** Columns with hashes of passwords: another type of the attribute would show them, or take readable texts for hashes. */
import { sql, type Transaction } from '@octavo/database'
import type { Model, Registry, ScalarAttribute } from '../content-type/model.ts'
import { existingColumns } from './existing-columns.ts'
import { readNote, writeNote } from './notes.ts'
import { quote } from './quote.ts'
import type { Rename } from './renames/declared-renames.ts'
import type { SchemaRefusal } from './schema-error.ts'

const key = 'secret-columns'

/** The number of values of a column that are read. It is enough, because all values of an attribute are readable, or all are hashes. */
const examined = 1_000

/** The secret columns of a registry, as `table.column`. */
export const secretColumns = (registry: Registry): readonly string[] =>
  scalarsOf(registry)
    .filter(({ attribute }) => attribute.type.secret)
    .map(placeOf)
    .sort()

/**
 * The refusals of attributes with hashes that are no passwords any more, and of passwords with readable values. A database without a note is of
 * an earlier version, and is not checked.
 */
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
    if (attribute.type.secret && !(await hasReadable(tx, table, attribute))) continue
    const [row] = await tx.run(
      sql`select count(*) as "n" from ${sql.id(table)} where ${sql.id(column)} is not null`,
    )
    if (Number(row?.n) > 0) refusals.push(refusalOf(model, attribute, Number(row?.n)))
  }
  return refusals
}

/** Whether a password has values that are no hashes. The note may lack it: a process without its content-type may have written the note. */
async function hasReadable(
  tx: Transaction,
  table: string,
  { column, type }: ScalarAttribute,
): Promise<boolean> {
  const rows = await tx.run(
    sql`select ${sql.id(column)} as "value" from ${sql.id(table)} where ${sql.id(column)} is not null limit ${sql.lit(examined)}`,
  )
  return rows.some(({ value }) => type.isHashed?.(value ?? null) === false)
}

/** Notes the secret columns of this update. Earlier ones stay noted if no attribute has them now, because their plugin may be left out of this start. */
export async function noteSecrets(tx: Transaction, registry: Registry): Promise<void> {
  const used = new Set(scalarsOf(registry).map(placeOf))
  const former = (await readNote(tx, key))?.split('\n') ?? []
  const secret = [...secretColumns(registry), ...former.filter((place) => place !== '' && !used.has(place))]
  await writeNote(tx, key, secret.sort().join('\n'))
}

function refusalOf(
  { uid, table }: Model,
  { name, column, type: { name: type, secret } }: ScalarAttribute,
  count: number,
): SchemaRefusal {
  const values = count === 1 ? 'a value' : `${count} values`
  return {
    table,
    column,
    reason: secret
      ? `it has ${values} that everybody who reads the database can read, and ${uid}.${name} is of the type ${type} now, which stores hashes.`
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
