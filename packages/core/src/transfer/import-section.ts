import type { Logger, Transaction } from '@octavo/database'
import { type DriverError, OctavoError, sql, sqlState } from '@octavo/database'
import { InvalidValue } from '../content-type/attribute-type.ts'
import { jsonDepth } from '../content-type/attribute-types/json.ts'
import { storable } from '../content-type/attribute-types/storable.ts'
import { brief, isObject } from '../kinds-of-values.ts'
import type { SectionHandler } from '../plugin/section.ts'
import { ImportError, undone } from './import-error.ts'
import { idOf } from './import-place.ts'
import { type LeftOut, leaveOut } from './left-out.ts'

/**
 * Imports the sections of plugins in the order of their handlers, whatever their order in the file: a user names a role. Others are left out.
 *
 * @throws ImportError for an item that its plugin or the database refuses
 */
export async function importSections(
  given: Readonly<Record<string, readonly unknown[]>>,
  handlers: ReadonlyMap<string, SectionHandler>,
  tx: Transaction,
  leftOut: LeftOut,
): Promise<void> {
  for (const [section, handler] of handlers) {
    const items = given[section]
    if (items) await importSection(section, handler, items, tx)
  }
  for (const [section, items] of Object.entries(given))
    if (!handlers.has(section) && items.length > 0) leaveOut(leftOut, `section ${section}`, items.length)
}

async function importSection(
  section: string,
  handler: SectionHandler,
  items: readonly unknown[],
  tx: Transaction,
): Promise<void> {
  const wrong = unstorable(items)
  if (wrong) throw new ImportError([`${section}${shortened(wrong.path)}: expected ${wrong.expected}.`])
  try {
    await handler.import(items, tx)
  } catch (error) {
    throw explained(section, error)
  }
}

/** Passes imported entries to the handlers that check them. @throws ImportError */
export async function checkEntries(
  entries: Iterable<readonly [uid: string, ids: readonly number[]]>,
  handlers: ReadonlyMap<string, SectionHandler>,
  tx: Transaction,
): Promise<void> {
  const checking = [...handlers].filter(([, { checkEntries: check }]) => check)
  if (checking.length === 0) return
  for (const [uid, ids] of entries)
    for (const [section, handler] of checking)
      await handler.checkEntries?.(uid, ids, tx).catch((error: unknown) => {
        throw explained(section, error)
      })
}

/**
 * Runs the transaction of an import, and tells the handlers of its sections how it ended. Their errors are logged: they do not change what was
 * committed or undone.
 *
 * @param names The names of the sections.
 */
export async function withSections<T>(
  { sections, logger }: { readonly sections: ReadonlyMap<string, SectionHandler>; readonly logger: Logger },
  names: readonly string[],
  transaction: () => Promise<T>,
): Promise<T> {
  try {
    return await transaction()
  } catch (error) {
    throw undone(error)
  } finally {
    for (const section of names)
      try {
        await sections.get(section)?.ended?.()
      } catch (err) {
        logger.error({ err, section }, 'The handler of a section failed behind an import')
      }
  }
}

/**
 * Imports the items of a section in their order, one at a time. Rows that others insert meanwhile get higher ids than the items, and
 * an error of the database names the item. A second item with an id is a mistake: it would replace the first.
 *
 * @param rows The rows of the items; their `id` is that of the item.
 * @throws ImportError, and the errors of `importItem`
 */
export async function importItems<T>(
  section: string,
  items: readonly T[],
  rows: { continueIds(least?: number): Promise<void> },
  importItem: (item: T, at: string) => Promise<void>,
): Promise<void> {
  const places = new Map<number, string>()
  for (const [i, item] of items.entries()) {
    const [id, at] = [idOf(item), `${section}[${i}]`]
    if (id === undefined) continue
    const first = places.get(id)
    if (first !== undefined) throw new ImportError([`${at} (id ${id}): ${first} has the same id.`])
    places.set(id, at)
  }
  await rows.continueIds([...places.keys()].reduce((highest, id) => Math.max(highest, id), 0))
  for (const [i, item] of items.entries()) {
    const at = `${section}[${i}]`
    await importItem(item, at).catch((error: unknown) => {
      throw (error instanceof Error && refusedByDatabase(error, `${at}: `)) || error
    })
  }
  await rows.continueIds()
}

/**
 * A text that PostgreSQL does not store, or stores changed, or a value that nests more deeply than it takes. Attribute types
 * refuse both in entries.
 */
function unstorable(value: unknown, depth = 0): { path: string; expected: string } | undefined {
  // The levels of a value begin below its item and its key.
  if (depth > jsonDepth + 2) return { path: '', expected: `JSON of at most ${jsonDepth} levels` }
  if (typeof value === 'string') {
    try {
      storable(value)
    } catch (error) {
      if (error instanceof InvalidValue)
        return { path: '', expected: `${error.message}, not ${brief(value)}` }
      throw error
    }
  }
  const members = Array.isArray(value) ? value.entries() : isObject(value) ? Object.entries(value) : []
  for (const [key, item] of members) {
    const found = unstorable(item, depth + 1) ?? (typeof key === 'string' ? unstorable(key) : undefined)
    if (found) return { ...found, path: `${typeof key === 'string' ? `.${key}` : `[${key}]`}${found.path}` }
  }
  return undefined
}

const shortened = (path: string): string => (path.length > 200 ? `${path.slice(0, 200)}…` : path)

/** Handlers throw errors of no class of their own; one of JavaScript, such as a TypeError, is a mistake of the plugin. */
function explained(section: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ImportError) return error
  const refusal = refusedByDatabase(error, `section "${section}": `)
  if (refusal) return refusal
  const isRefusal = Object.getPrototypeOf(error) === Error.prototype && !('code' in error)
  if (!isRefusal && !(error instanceof OctavoError && error.status === 400)) return error
  return new ImportError([sentence(error.message)], false, error)
}

/** @returns an ImportError for a refusal of the data; `undefined` for any other error. */
function refusedByDatabase(error: Error, place: string): ImportError | undefined {
  // 22: data exceptions (out of range…), 23: violations of a constraint, 54000: too large for an index.
  if (!/^(22...|23...|54000)$/.test(sqlState(error) ?? '')) return undefined
  const { message, detail } = error as DriverError
  return new ImportError([sentence(`${place}${detail ?? message}`)], false, error)
}

/** Checks the references between items of sections, in any order, which are deferred. @throws ImportError */
export async function checkItemReferences(tx: Transaction): Promise<void> {
  await tx.run(sql`set constraints all immediate`).catch((error: Error) => {
    throw refusedByDatabase(error, '') ?? error
  })
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)
