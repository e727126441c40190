/** The names of indexes and constraints in the database. */
import { createHash } from 'node:crypto'
import type { Index, Table } from './tables.ts'

/**
 * The names of the indexes of tables. PostgreSQL wants them to differ in the whole schema, from those of tables as well; where the tables "a" and "a_b" have
 * indexes of "b_c" and "c", each name has a hash, whichever of the tables comes first.
 */
export function indexNames(
  tables: readonly Pick<Table, 'name' | 'indexes'>[],
): (table: string, index: Index) => string {
  const times = new Map<string, number>()
  const count = (name: string): unknown => times.set(name, (times.get(name) ?? 0) + 1)
  for (const { name, indexes } of tables) {
    count(name)
    for (const index of indexes) count(nameOf(name, index))
  }
  return (table, index) => {
    const name = nameOf(table, index)
    return times.get(name) === 1 ? name : nameOf(table, index, `_${hashOf(`${table}.${subjectOf(index)}`)}`)
  }
}

const subjectOf = ({ name, columns }: Index): string => name ?? columns.join('_')

const nameOf = (table: string, index: Index, hash = ''): string =>
  constraintName(table, `${subjectOf(index)}${hash}`, index.unique ? 'unique' : 'index')

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** `<table>_<subject>_<suffix>`, at most 63 bytes. */
export function constraintName(table: string, subject: string, suffix: ConstraintSuffix): string {
  return shortened(`${table}_${subject}`, `_${suffix}`)
}

/** Whether a foreign key has the name of one that Octavo makes. */
export const isOwnForeignKey = (name: string): boolean =>
  name.endsWith('_foreign' satisfies `_${ConstraintSuffix}`)

/** A name, shortened to the 63 bytes of an identifier with a hash, so that names stay distinct. `end` stays whole. */
export function shortened(beginning: string, end = ''): string {
  const name = `${beginning}${end}`
  if (Buffer.byteLength(name) <= 63) return name
  const hash = hashOf(name)
  const room = 63 - hash.length - end.length - 1
  return `${Buffer.from(name)
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD$/, '')}_${hash}${end}`
}

/** Differ from PostgreSQL's `_idx`, `_key`, `_fkey`, so that indexes added by hand can be recognised. */
export const constraintSuffixes = ['index', 'unique', 'foreign'] as const
export type ConstraintSuffix = (typeof constraintSuffixes)[number]
