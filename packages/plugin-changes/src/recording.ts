import { type Queryable, sql } from '@octavo/core'
import type { ContentType, PluginHost, WriteEvent } from '@octavo/core/plugin'
import type { Tables } from './feed.ts'

export type ChangeKind = 'created' | 'updated' | 'published' | 'unpublished' | 'deleted'

/**
 * Writes each change of an entry of an `api::` type into the inbox, in the transaction of the write.
 * @param announce Wakes the streams when the transaction is committed.
 */
export function recordChanges(
  host: PluginHost,
  { inbox }: Tables,
  announce: (tx: Queryable) => Promise<void>,
): void {
  const add = async ({ type, id = 0, entries }: WriteEvent, kind: ChangeKind): Promise<void> => {
    await entries.rows(inbox).insert({ type: type.uid, entry: id, kind, at: sql`now()` })
    await announce(entries)
  }
  /** The updates that are recorded as a publication. */
  const publications = new WeakSet<WriteEvent>()
  const addPublication = async (write: WriteEvent, kind: 'published' | 'unpublished'): Promise<void> => {
    publications.add(write)
    await add(write, kind)
  }

  const filter = { types: ({ uid }: ContentType) => uid.startsWith('api::') } as const
  host.hook('entry:afterCreate', (write) => add(write, 'created'), filter)
  host.hook('entry:published', (write) => addPublication(write, 'published'), filter)
  host.hook('entry:unpublished', (write) => addPublication(write, 'unpublished'), filter)
  host.hook(
    'entry:afterUpdate',
    async (write) => {
      if (!publications.has(write)) await add(write, 'updated')
    },
    filter,
  )
  host.hook('entry:afterDelete', (write) => add(write, 'deleted'), filter)
}
