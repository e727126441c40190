import type { WriteAction } from '../../content-type/content-actions.ts'
import { problem } from '../../error/problems.ts'
import type { BulkRequest, BulkResult } from '../../requests.ts'
import { entryLock } from '../check/entry-locks.ts'
import { prepareInput } from './entry-inputs.ts'
import type { EntryWrites } from './entry-writes.ts'
import { findEntry } from './find-entry.ts'
import type { Writing } from './write-parts.ts'

/** Batch size of a bulk write, which bounds its memory. */
const chunkSize = 1_000

/** Writes many entries of a type, new ones with one statement per table and batch. @throws OctavoError */
export async function writeAll(
  { type, create = [], update = [], delete: deleted = [] }: Omit<BulkRequest, 'state'>,
  entries: EntryWrites,
  writing: Writing,
): Promise<BulkResult> {
  const { tx, parts, state } = writing
  /** Refuses entries out of the caller's reach; runs no statement when nothing is narrowed. */
  const reach = async (
    action: WriteAction,
    ids: readonly number[],
    code: 'entry/forbidden' | 'entry/not-found',
  ): Promise<void> => {
    if (ids.length === 0 || !parts.reads.narrows({ type, action, state })) return
    for (const id of ids)
      if ((await findEntry({ type, action, id, state, query: '' }, writing)) === undefined)
        throw problem(code)
  }
  const updated = update.map(({ id }) => id)
  // All in one order, and before it has other locks. Missing entries are refused later.
  const named = [...updated, ...deleted]
  const lock = entryLock(type, named, deleted.length > 0 ? 'delete' : 'update')
  const existing = new Set(named.length > 0 ? (await tx.run(lock)).map(({ id }) => Number(id)) : [])
  const created: number[] = []
  for (let start = 0; start < create.length; start += chunkSize) {
    const chunk = create.slice(start, start + chunkSize)
    created.push(...(await entries.createAll(type, chunk, (i) => ['create', start + i])))
  }
  await reach('create', created, 'entry/forbidden')
  await reach('update', updated, 'entry/not-found')
  for (const [i, { id, ...input }] of update.entries()) {
    if (!existing.has(id)) throw problem('entry/not-found')
    await entries.save([await prepareInput(entries.event('update', type, id, input), ['update', i], writing)])
  }
  await reach('update', updated, 'entry/forbidden')
  await reach('delete', deleted, 'entry/not-found')
  for (const id of deleted) {
    if (!existing.delete(id)) throw problem('entry/not-found')
    if (!entries.hasDeleted({ type, id }, true)) await entries.delete(type, id)
  }
  return { created, updated, deleted: [...deleted] }
}
