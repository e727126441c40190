import type { EntryWriter, PluginHost, Queryable, WriteEvent } from '@octavo/core'
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
  const isRecorded = ({ type }: WriteEvent): boolean => type.uid.startsWith('api::')
  const add = async ({ type, id = 0, entries }: WriteEvent, kind: ChangeKind): Promise<void> => {
    await entries.rows(inbox).insert({ type: type.uid, entry: id, kind, at: new Date() })
    await announce(entries)
  }
  /** The entries of a transaction that were published before their update. */
  const published = new WeakMap<EntryWriter, Set<string>>()
  const keyOf = ({ type, id }: WriteEvent): string => `${type.uid} ${id}`
  const isPublished = async ({ type, id = 0, entries }: WriteEvent): Promise<boolean> =>
    type.attributes.has('publishedAt') && (await entries.stored(type.uid, id))?.publishedAt != null

  host.hook('entry:afterCreate', async (write) => {
    if (isRecorded(write)) await add(write, 'created')
  })
  host.hook('entry:beforeUpdate', async (write) => {
    if (!isRecorded(write)) return
    const known = published.get(write.entries) ?? new Set()
    published.set(write.entries, known)
    if (await isPublished(write)) known.add(keyOf(write))
    else known.delete(keyOf(write))
  })
  host.hook('entry:afterUpdate', async (write) => {
    if (!isRecorded(write)) return
    const before = published.get(write.entries)?.has(keyOf(write)) ?? false
    const now = await isPublished(write)
    await add(write, before === now ? 'updated' : now ? 'published' : 'unpublished')
  })
  host.hook('entry:afterDelete', async (write) => {
    if (isRecorded(write)) await add(write, 'deleted')
  })
}
