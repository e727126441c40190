import type { Logger, Store, Transaction } from '@octavo/database'
import { sql } from '@octavo/database'
import type { ContentType, Registry } from '../content-type/model.ts'
import { isId } from '../id.ts'
import type { SectionHandler } from '../plugin/section.ts'
import type { DataEntry } from './data-file.ts'
import { EntryRows } from './entry-rows.ts'
import { refuseUnlessEmpty, startImport, warnOfLeftOut } from './import.ts'
import { ImportError } from './import-error.ts'
import { importSections, withSections } from './import-section.ts'
import { type LeftOut, leaveOut } from './left-out.ts'
import type { Link } from './link-rows.ts'
import { ImportMistakes } from './mistakes.ts'

/**
 * The data of an import as a stream, for data that does not fit into memory. Entries are as in a data file, except
 * relations: the owning side has the whole relation as a list of {@link StreamedLink}, and the other side is ignored.
 */
export interface DataStream {
  /** Written before the entries: `locales`, `roles`. */
  readonly sections: Readonly<Record<string, readonly unknown[]>>
  /** In any order. An entry may refer to a later one. */
  entries(): AsyncIterable<readonly StreamedEntry[]>
  /** One more than the highest component id of this uid in the stream, for components without an id. Default 1. */
  pastId?(uid: string): number
}

export interface StreamedEntry {
  /** Uid of a content-type. */
  readonly type: string
  readonly values: DataEntry
}

/** A related entry, in the owner's order. */
export interface StreamedLink {
  readonly id: number
  /** Position of the owner in the other side's list, from 1; `null` without an order. */
  readonly position: number | null
}

export interface StreamOptions {
  /** Called periodically with the number of entries written and the current kind. */
  readonly onProgress?: (done: number, label: string) => void
  /** Runs in the transaction after all writes; an error rolls the import back. */
  readonly check?: (tx: Transaction) => Promise<void>
}

/** The part of `Octavo` that an import needs. */
export interface StreamContext {
  readonly store: Store
  readonly registry: Registry
  readonly sections: ReadonlyMap<string, SectionHandler>
  readonly logger: Logger
}

/**
 * Imports a stream of entries into an empty database, in one transaction. Ids of entries and components are preserved, and
 * new entries get higher ids. One batch of rows per table is in memory.
 *
 * Foreign keys reject references to missing entries at the commit; the caller should check them before.
 *
 * @throws ImportError that names the invalid entries, NotEmptyError
 */
export async function importStream(
  context: StreamContext,
  stream: DataStream,
  options: StreamOptions = {},
): Promise<{ readonly entries: number; readonly leftOut: Readonly<Record<string, number>> }> {
  const { store, registry, sections, logger } = context
  const leftOut: LeftOut = new Map()
  const entries = await withSections(context, Object.keys(stream.sections), () =>
    store.transaction(async (tx) => {
      await startImport(tx, logger)
      await refuseUnlessEmpty(tx, registry)
      await importSections(stream.sections, sections, tx, leftOut)
      const count = await writeEntries(tx, registry, stream, leftOut, store.now(), options)
      // The planner has no statistics of tables that this transaction has filled.
      for (const table of new Set(
        [...registry.contentTypes.values(), ...registry.components.values()].map(({ table }) => table),
      ))
        await tx.run(sql`analyze ${sql.id(table)}`)
      await options.check?.(tx)
      return count
    }),
  )
  warnOfLeftOut(leftOut, logger)
  return { entries, leftOut: Object.fromEntries(leftOut) }
}

async function writeEntries(
  tx: Transaction,
  registry: Registry,
  stream: DataStream,
  leftOut: LeftOut,
  now: Date,
  { onProgress }: StreamOptions,
): Promise<number> {
  const mistakes = new ImportMistakes()
  const rows = new EntryRows({
    tx,
    registry,
    leftOut,
    now,
    links: {
      read: (_, given) => readLinks(given),
      groupKey: (_, siblings, place) => siblings.reduce((least, id) => Math.min(least, id), place.id),
    },
    mistake: (text) => mistakes.add(text),
    refer: () => {},
    pastId: (uid) => stream.pastId?.(uid) ?? 1,
    unnumbered: () => 0,
  })
  let done = 0
  try {
    for await (const batch of stream.entries()) {
      for (const { type: uid, values } of batch) {
        const type = registry.contentTypes.get(uid)
        if (type) await rows.add(values, { type, id: idOfStreamed(values, type), index: undefined })
        else leaveOut(leftOut, `entries of ${uid}`)
        done++
      }
      onProgress?.(done, batch.at(-1)?.type ?? '')
    }
    await rows.flush()
  } catch (error) {
    throw mistakes.explain(error)
  }
  mistakes.throwIfAny()
  await rows.moveSequences()
  return done
}

/** The links of a stream, in the form of {@link StreamedLink}. */
const readLinks = (given: unknown): readonly Link[] =>
  ((given ?? []) as readonly StreamedLink[]).map(({ id, position }) => ({ target: id, position }))

function idOfStreamed({ id }: DataEntry, { uid }: ContentType): number {
  if (isId(id)) return id
  throw new ImportError([`an entry of ${uid} has no id that is a whole number of at least 1.`])
}
