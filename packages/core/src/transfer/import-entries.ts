import type { Transaction } from '@octavo/database'
import { movedSequence, param, sql } from '@octavo/database'
import { type ContentType, hasSiblings, type Registry } from '../content-type/model.ts'
import { EntryRows } from './entry-rows.ts'
import { type FileEntries, FileIndex } from './file-index.ts'
import { FileRelations } from './file-relations.ts'
import { describe, idOf, type Place } from './import-place.ts'
import type { LeftOut } from './left-out.ts'
import { ImportMistakes, maxMistakes } from './mistakes.ts'
import { numbered } from './outline.ts'

export interface EntriesContext {
  /** The time of the import by the database's clock. */
  readonly now: Date
  readonly tx: Transaction
  readonly registry: Registry
  readonly leftOut: LeftOut
  /** Called periodically with the number of entries read. */
  readonly progress: (done: number, label: string) => void
}

const idsAtATime = 10_000

/**
 * Writes the entries of a data file. Rows are written in batches of a thousand; memory is used for the file, the ids of
 * its entries, and the relations of one content-type.
 *
 * The transaction must have deferred foreign keys: an entry may refer to a later one.
 *
 * @throws ImportError with up to 20 mistakes.
 */
export async function importEntries(entries: FileEntries, context: EntriesContext): Promise<ImportedEntries> {
  const mistakes = new ImportMistakes()
  try {
    const file = new FileIndex(entries, context.registry, mistakes, context.leftOut)
    await checkNew(file, context, mistakes)
    // Errors that follow from wrong ids would be confusing.
    mistakes.throwIfAny()
    const run = new EntriesImport(file, context, mistakes)
    return {
      count: await run.run(),
      ids: () => file.ids(idsAtATime),
      checkReferences: () => run.checkAbsent(),
    }
  } catch (error) {
    throw mistakes.explain(error)
  }
}

export interface ImportedEntries {
  readonly count: number
  /** The ids of each content-type, up to 10,000 at a time. */
  ids(): Iterable<readonly [uid: string, ids: readonly number[]]>
  /**
   * Looks up references to entries that are not in the file (files, users) in the database. Call it
   * after all sections are imported.
   *
   * @throws ImportError
   */
  checkReferences(): Promise<void>
}

/** Entries are added, never changed: an existing id is a mistake. */
async function checkNew(
  file: FileIndex,
  { registry, tx }: EntriesContext,
  mistakes: ImportMistakes,
): Promise<void> {
  for (const [uid, ids] of file.ids(idsAtATime)) {
    const existing = await idsAmong(registry.contentType(uid), ids, tx)
    for (const id of existing.slice(0, maxMistakes))
      mistakes.add(`${file.placeOf(uid, id)}: the database has this entry already.`)
    // Single types in several locales are checked elsewhere, locale by locale.
    const type = registry.contentType(uid)
    if (type.kind !== 'singleType' || hasSiblings(type) || existing.length > 0) continue
    const [stored] = await tx.run(sql`select "id" from ${sql.id(type.table)} order by "id" limit 1`)
    for (const id of stored ? ids : [])
      mistakes.add(
        `${file.placeOf(uid, id)}: a single type has one entry, and the database has ${uid} ${stored?.id}.`,
      )
  }
}

class EntriesImport {
  readonly #file: FileIndex
  readonly #context: EntriesContext
  readonly #mistakes: ImportMistakes
  readonly #relations: FileRelations
  readonly #rows: EntryRows
  /** Referenced ids that are not in the file, with the first reference; they may be in the database. */
  readonly #absent = new Map<string, Map<number, string>>()
  #done = 0

  constructor(file: FileIndex, context: EntriesContext, mistakes: ImportMistakes) {
    this.#file = file
    this.#context = context
    this.#mistakes = mistakes
    this.#relations = new FileRelations(file, context.registry, mistakes)
    this.#rows = new EntryRows({
      ...context,
      links: this.#relations,
      mistake: (text) => mistakes.add(text),
      refer: (uid, id, place, name) => this.#refer(uid, id, place, name),
      pastId: (uid) => file.pastId(uid),
      unnumbered: (uid) => file.unnumbered(uid),
    })
  }

  async run(): Promise<number> {
    const { contentTypes, components } = this.#context.registry
    // This comes first, so that entries which others create meanwhile get ids that are not in the file.
    for (const { uid, table } of [...contentTypes.values(), ...components.values()])
      if (this.#file.pastId(uid) > 1)
        await this.#context.tx.run(movedSequence(table, sql`${this.#file.pastId(uid) - 1}::int8`))
    for (const type of this.#context.registry.contentTypes.values()) await this.#importType(type)
    await this.#rows.flush()
    this.#mistakes.throwIfAny()
    return this.#done
  }

  /** Call it after all possible targets are written. */
  async checkAbsent(): Promise<void> {
    const { registry, tx } = this.#context
    for (const [uid, ids] of this.#absent) {
      const found = await idsAmong(registry.contentType(uid), [...ids.keys()], tx)
      for (const id of found) ids.delete(id)
      for (const [id, place] of ids) this.#mistakes.add(`${place}: there is no ${uid} with id ${id}.`)
    }
    this.#mistakes.throwIfAny()
  }

  async #importType(type: ContentType): Promise<void> {
    const list = this.#file.list(type.uid)
    await this.#relations.startType(type, this.#context.tx)
    for (const [index, entry] of numbered(list)) {
      const id = idOf(entry)
      if (id === undefined) continue
      await this.#rows.add(entry, { type, index, id })
      this.#done++
      if (this.#done % 500 === 0) this.#context.progress(this.#done, type.uid)
    }
    this.#relations.endType(type)
    if (list.length > 0) this.#context.progress(this.#done, type.uid)
  }

  #refer(uid: string, id: number, place: Place, name: string): void {
    if (this.#file.has(uid, id)) return
    const absent = this.#absent.get(uid) ?? new Map<number, string>()
    this.#absent.set(uid, absent)
    if (!absent.has(id)) absent.set(id, `${describe(place)}, attributes "${name}"`)
  }
}

/** The ids that exist in the database, ascending. */
async function idsAmong(
  { table }: ContentType,
  ids: readonly number[],
  tx: Transaction,
): Promise<readonly number[]> {
  const rows = await tx.run(
    sql`select "id" from ${sql.id(table)} where "id" = any(${param(ids, 'int4[]')}) order by "id"`,
  )
  return rows.map(({ id }) => Number(id))
}
