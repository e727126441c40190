import type { Logger, Store, Transaction } from '@octavo/database'
import { join, sql } from '@octavo/database'
import type { Registry } from '../content-type/model.ts'
import type { SectionHandler } from '../plugin/section.ts'
import { type DataFile, readDataFile } from './data-file.ts'
import { importEntries } from './import-entries.ts'
import { inFile, NotEmptyError } from './import-error.ts'
import { checkEntries, checkItemReferences, importSections, withSections } from './import-section.ts'
import type { LeftOut } from './left-out.ts'
import { withAddedAttributes } from './section-entries.ts'

/** The part of `Octavo` that an import needs. */
export interface ImportContext {
  readonly store: Store
  readonly registry: Registry
  readonly sections: ReadonlyMap<string, SectionHandler>
  readonly logger: Logger
}

export interface ImportOptions {
  /** Refuses a database that has any entry of the project's own content-types (`api::…`). Default false. */
  readonly onlyIntoEmpty?: boolean
  /**
   * Called periodically with the entries read, the total, and the current kind.
   */
  readonly onProgress?: (done: number, total: number, label: string) => void
}

export interface ImportResult {
  /** Entries written. */
  readonly entries: number
  /** Items of the other sections that were written, by section. */
  readonly sections: Readonly<Record<string, number>>
  /** Skipped data without a handler, with its number of occurrences. */
  readonly leftOut: Readonly<Record<string, number>>
}

/**
 * Imports a data file in one transaction: all of it, or nothing on any mistake. Ids are preserved, and new entries get
 * higher ids. Sections and attributes without a handler (their plugin is absent) are skipped with one warning that counts
 * them.
 *
 * Values are parsed by the attribute's type; `required`, `min` and similar rules are not checked, since the data may be
 * older than the rule. A password is either plain text, which is hashed, or the hash of an export.
 * Both sides of a relation may be included and must then agree; each side has its own order.
 *
 * @param source A path to a JSON file, `-` for the standard input, or parsed content.
 * @throws ImportError that names the invalid entries.
 */
export async function importData(
  context: ImportContext,
  source: string | DataFile,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const { store, registry, sections, logger } = context
  const { entries: given = {}, ...rest } = await readDataFile(source, sections)
  const items = rest as Readonly<Record<string, readonly unknown[]>> // readDataFile checked that they are lists
  const leftOut: LeftOut = new Map()
  const entries = withAddedAttributes(given, items, context, leftOut)
  const total = Object.entries(entries).reduce(
    (sum, [uid, list]) => sum + (registry.contentTypes.has(uid) ? list.length : 0),
    0,
  )

  const counts = Object.entries(items).flatMap(([section, { length }]): [string, number][] =>
    sections.has(section) ? [[section, length]] : [],
  )
  const count = await withSections(context, Object.keys(items), () =>
    store.transaction(async (tx) => {
      await startImport(tx, logger)
      if (options.onlyIntoEmpty) await refuseUnlessEmpty(tx, registry)

      const imported = await importEntries(entries, {
        tx,
        registry,
        leftOut,
        now: store.now(),
        progress: (done, label) => options.onProgress?.(done, total, label),
      })
      await importSections(items, sections, tx, leftOut)
      await checkEntries(imported.ids(), sections, tx)
      await imported.checkReferences()
      await checkItemReferences(tx)
      return imported.count
    }),
  ).catch((error: unknown) => {
    throw typeof source === 'string' && source !== '-' ? inFile(error, source) : error
  })

  warnOfLeftOut(leftOut, logger)
  return { entries: count, sections: Object.fromEntries(counts), leftOut: Object.fromEntries(leftOut) }
}

export function warnOfLeftOut(leftOut: LeftOut, logger: Logger): void {
  if (leftOut.size === 0) return
  const list = [...leftOut].map(([what, times]) => `${what} (${times})`).join(', ')
  logger.warn(
    { leftOut: Object.fromEntries(leftOut) },
    `Left out of the import, for no plugin here handles it: ${list}.`,
  )
}

/** Prepares the transaction of an import. */
export async function startImport(tx: Transaction, logger: Logger): Promise<void> {
  await tx.liftTimeLimits()
  // Entries may refer to later ones.
  await tx.run(sql`set constraints all deferred`)
  // One import at a time: two servers that start with the same seed would both see an empty database.
  await tx.lock('import', () =>
    logger.info({}, 'The import waits for another one, which writes into this database'),
  )
}

/** @throws NotEmptyError when an entry of the project's content-types exists. */
export async function refuseUnlessEmpty(tx: Transaction, registry: Registry): Promise<void> {
  const types = [...registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'))
  if (types.length === 0) return
  const found = types.map(
    ({ table, uid }) => sql`select ${sql.lit(uid)} as "uid" where exists (select from ${sql.id(table)})`,
  )
  const rows = await tx.run(join(found, ' union all '))
  if (rows.length === 0) return
  const uids = rows.map(({ uid }) => uid)
  throw new NotEmptyError([`the database is not empty: there are entries of ${uids.join(', ')}.`])
}
