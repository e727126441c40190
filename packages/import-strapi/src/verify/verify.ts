import type { Octavo, Transaction } from '@octavo/core'
import { isOfEditors } from '../model/uids.ts'
import type { Scan } from '../plan/scan.ts'
import type { Source } from '../source/source.ts'
import { sourceFigures } from './source-side.ts'
import type { SideFigures } from './tally.ts'
import { targetFigures } from './target-side.ts'

/** A content-type, or a component with its relations, on both sides. */
export interface Comparison {
  readonly uid: string
  readonly source: SideFigures
  readonly target: SideFigures
  readonly agrees: boolean
}

const none: SideFigures = { rows: 0, links: 0, checksum: '0'.repeat(32) }

/** Compares a source, without the entries that were left out, with what is in the database. */
export async function verify(
  octavo: Pick<Octavo, 'registry'>,
  tx: Transaction,
  source: Source,
  scan: Scan,
): Promise<readonly Comparison[]> {
  const { small, links } = scan
  const left = await sourceFigures(source, octavo.registry, {
    small,
    defaultLocale: scan.values.defaultLocale,
    roleOf: links.roles,
    isInvalid: (type, id) => scan.skipped.isInvalid(type, id),
    repeats: () => scan.skipped.repeats(),
    siblings: () => siblingPairs(scan),
  })
  const right = await targetFigures(octavo, tx, {
    roles: new Set(small.roles.map(({ id }) => id)),
    locales: small.locales.length > 0,
  })
  const uids = [...new Set([...left.keys(), ...right.keys()])].filter((uid) => !isOfEditors(uid))
  return uids.sort().map((uid) => {
    const [source, target] = [left.get(uid) ?? none, right.get(uid) ?? none]
    const agrees =
      source.rows === target.rows && source.links === target.links && source.checksum === target.checksum
    return { uid, source, target, agrees }
  })
}

/** Each entry with each other one of its group, without the entries that were left out. */
function* siblingPairs({ scratch }: Scan): Generator<readonly [string, number, number]> {
  const comes = (alias: string): string =>
    `not exists (select 1 from skipped s where s.type = ${alias}.type and s.id = ${alias}.id)`
  const rows = scratch.iterate(
    `select a.type as type, a.id as id, b.id as other from sibling a join sibling b on b.type = a.type and b.key = a.key and b.id <> a.id
     where ${comes('a')} and ${comes('b')}`,
  )
  for (const { type, id, other } of rows) yield [scratch.name(type), Number(id), Number(other)]
}
