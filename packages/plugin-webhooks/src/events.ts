import {
  ConfigurationError,
  type ContentType,
  didYouMean,
  type EntryWriter,
  type PluginHost,
  type WriteEvent,
} from '@octavo/core'
import type { Receiver } from './options.ts'
import { addDeliveries, type Outbox } from './outbox.ts'

/** The content-type of files in `plugin-upload`. */
const fileUid = 'plugin::upload.file'

type Action = 'create' | 'update' | 'delete' | 'publish' | 'unpublish'

/** Writes the events of each write to the outbox, in the transaction of the write. */
export function recordEvents(host: PluginHost, outbox: Outbox, receivers: readonly Receiver[]): void {
  /** The names of the webhooks that want an event. */
  const wanting = (event: string, { uid }: ContentType): string[] =>
    receivers
      .filter(({ types }) => uid === fileUid || (types?.includes(uid) ?? uid.startsWith('api::')))
      .filter(({ events }) => events.has(event))
      .map(({ name }) => name)

  const add = async ({ type, id, entries }: WriteEvent, action: Action): Promise<void> => {
    const isMedia = type.uid === fileUid
    const event = `${isMedia ? 'media' : 'entry'}.${action}`
    const names = wanting(event, type)
    if (names.length === 0) return
    const readable = [...type.attributes.values()].filter((a) => a.kind === 'scalar' && !a.private)
    const select = ['id', ...readable.map(({ name }) => name)]
    const entry = await entries.rows(type).first({ where: { id }, select })
    const createdAt = new Date().toISOString()
    const payload = isMedia
      ? { event, createdAt, media: entry }
      : { event, createdAt, model: type.singularName, uid: type.uid, entry }
    await addDeliveries(entries, outbox, { event, webhooks: names, payload })
  }

  /** The entries of a transaction that were published before their update. */
  const published = new WeakMap<EntryWriter, Set<string>>()
  const isPublished = async ({ type, id = 0, entries }: WriteEvent): Promise<boolean> =>
    (await entries.stored(type.uid, id))?.publishedAt != null
  const hasDrafts = ({ type }: WriteEvent): boolean =>
    type.attributes.has('publishedAt') &&
    ['entry.publish', 'entry.unpublish'].some((event) => wanting(event, type).length > 0)

  host.hook('octavo:start', ({ registry: { contentTypes } }) => {
    for (const { name, types = [] } of receivers)
      for (const uid of types.filter((uid) => !contentTypes.has(uid)))
        throw new ConfigurationError(
          `The webhook "${name}": there is no content-type "${uid}"${didYouMean(uid, contentTypes.keys())}`,
        )
  })
  host.hook('entry:afterCreate', (write) => add(write, 'create'))
  host.hook('entry:beforeUpdate', async (write) => {
    if (!hasDrafts(write)) return
    const known = published.get(write.entries) ?? new Set()
    published.set(write.entries, known)
    const key = `${write.type.uid} ${write.id}`
    if (await isPublished(write)) known.add(key)
    else known.delete(key)
  })
  host.hook('entry:afterUpdate', async (write) => {
    await add(write, 'update')
    if (!hasDrafts(write)) return
    const before = published.get(write.entries)?.has(`${write.type.uid} ${write.id}`) ?? false
    const now = await isPublished(write)
    if (before !== now) await add(write, now ? 'publish' : 'unpublish')
  })
  // The payload is the entry as it was, so it is read before its rows are deleted. A delete that fails undoes the event.
  host.hook('entry:beforeDelete', (write) => add(write, 'delete'))
}
