import type { ContentType, Registry } from '../content-type/model.ts'
import { isId } from '../id.ts'
import type { Logger } from '../logger.ts'
import { sql } from '../sql/sql.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { DataEntry } from './data-file.ts'
import { EntryRows, type LeftOut, type Link, leaveOut } from './entry-rows.ts'
import { refuseUnlessEmpty, startImport, warnOfLeftOut } from './import.ts'
import { ImportError } from './import-error.ts'

import { Mistakes } from './mistakes.ts'
import type { SectionHandler } from './section.ts'

/**
 * The data of an import in pieces, for what does not fit into memory. Entries are as in a data file, with one difference:
 * the side that holds a relation gives it whole, as a list of {@link StreamedLink}, and the other side is not read.
 */
export interface DataStream {
  /** Written before the entries: `locales`, `roles`. */
  readonly sections: Readonly<Record<string, readonly unknown[]>>
  /** In any order. An entry may refer to one that comes later. */
  entries(): AsyncIterable<readonly StreamedEntry[]>
  /** One past the highest id that the entries give components of this uid, for components that have none. Default 1. */
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
  /** Place of the owner in the list of the other side, from 1; `null` where that side has no order. */
  readonly position: number | null
}

export interface StreamOptions {
  /** Called now and then: entries written so far, and what is being written. */
  readonly onProgress?: (done: number, label: string) => void
  /** Runs in the transaction when all is written; a throw undoes the import. */
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
 * Imports a stream of entries into an empty database: all of it or nothing. Ids are kept, component ids too, and new
 * entries get ids past them. Holds a batch of rows for each table in memory.
 *
 * The caller has checked that related entries exist; foreign keys refuse the transaction otherwise.
 *
 * @throws ImportError that names the entries at fault, NotEmptyError
 */
export async function importStream(
  { store, registry, sections, logger }: StreamContext,
  stream: DataStream,
  options: StreamOptions = {},
): Promise<{ readonly entries: number; readonly leftOut: Readonly<Record<string, number>> }> {
  const leftOut: LeftOut = new Map()
  const entries = await store.transaction(async (tx) => {
    await startImport(tx)
    await refuseUnlessEmpty(tx, registry)
    for (const [section, items] of Object.entries(stream.sections)) {
      const handler = sections.get(section)
      if (handler) await handler.import(items, tx)
      else if (items.length > 0) leaveOut(leftOut, `section ${section}`, items.length)
    }
    const count = await writeEntries(tx, registry, stream, leftOut, options)
    // The planner has no figures of tables that this transaction filled.
    for (const table of new Set(
      [...registry.contentTypes.values(), ...registry.components.values()].map(({ table }) => table),
    ))
      await tx.run(sql`analyze ${sql.id(table)}`)
    await options.check?.(tx)
    return count
  })
  warnOfLeftOut(leftOut, logger)
  return { entries, leftOut: Object.fromEntries(leftOut) }
}

async function writeEntries(
  tx: Transaction,
  registry: Registry,
  stream: DataStream,
  leftOut: LeftOut,
  { onProgress }: StreamOptions,
): Promise<number> {
  const mistakes = new Mistakes()
  const rows = new EntryRows({
    tx,
    registry,
    leftOut,
    links: {
      read: (_, given) => readLinks(given),
      groupKey: (_, siblings, place) => siblings.reduce((least, id) => Math.min(least, id), place.id),
    },
    mistake: (text) => mistakes.add(text),
    refer: () => {},
    pastId: (uid) => stream.pastId?.(uid) ?? 1,
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

/** The stream is made by a program, which gives links in the form of {@link StreamedLink}. */
const readLinks = (given: unknown): readonly Link[] =>
  ((given ?? []) as readonly StreamedLink[]).map(({ id, position }) => ({ target: id, position }))

function idOfStreamed({ id }: DataEntry, { uid }: ContentType): number {
  if (isId(id)) return id
  throw new ImportError([`an entry of ${uid} has no id that is a whole number of at least 1.`])
}
