/** The names of indexes and constraints in the database. */
import { createHash } from 'node:crypto'
import type { Index } from './tables.ts'

export const indexName = (table: string, { name, columns, unique }: Index): string =>
  constraintName(table, name ?? columns.join('_'), unique ? 'unique' : 'index')

/** `<table>_<subject>_<suffix>`, at most 63 bytes. */
export function constraintName(table: string, subject: string, suffix: ConstraintSuffix): string {
  return shortened(`${table}_${subject}`, `_${suffix}`)
}

/** A name, shortened to the 63 bytes of an identifier with a hash, so that names stay distinct. `end` stays whole. */
export function shortened(beginning: string, end = ''): string {
  const name = `${beginning}${end}`
  if (Buffer.byteLength(name) <= 63) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const room = 63 - hash.length - end.length - 1
  return `${Buffer.from(name)
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD$/, '')}_${hash}${end}`
}

/** Differ from PostgreSQL's `_idx`, `_key`, `_fkey`, so that indexes added by hand can be recognised. */
export const constraintSuffixes = ['index', 'unique', 'foreign'] as const
export type ConstraintSuffix = (typeof constraintSuffixes)[number]
