import { ConfigurationError } from '@octavo/core'
import { didYouMean } from '@octavo/core/internal'
import type { ContentType, PluginHost, WriteEvent } from '@octavo/core/plugin'
import type { Settings } from './options.ts'
import { type Deliveries, Outbox } from './outbox.ts'

/** The content-type of files in `plugin-upload`. */
const fileUid = 'plugin::upload.file'

/** Writes the events of each write to the outbox, in the transaction of the write. */
export function recordEvents(
  host: PluginHost,
  table: Deliveries,
  { receivers }: Settings,
  now: () => Date,
): void {
  /** The names of the webhooks that want an event. */
  const wanting = (event: string, { uid }: ContentType): readonly string[] =>
    [...receivers.values()]
      .filter(({ types }) => uid === fileUid || (types?.includes(uid) ?? uid.startsWith('api::')))
      .filter(({ events }) => events.has(event))
      .map(({ name }) => name)

  const nameOf = (action: string, { uid }: ContentType): string =>
    `${uid === fileUid ? 'media' : 'entry'}.${action}`

  const add =
    (action: string) =>
    async ({ type, id, entries }: WriteEvent): Promise<void> => {
      const isMedia = type.uid === fileUid
      const event = nameOf(action, type)
      const webhooks = wanting(event, type)
      const readable = [...type.attributes.values()].filter((a) => a.kind === 'scalar' && !a.private)
      const select = ['id', ...readable.map(({ name }) => name)]
      const entry = await entries.rows(type).first({ where: { id }, select })
      const about = isMedia ? { media: entry } : { model: type.singularName, uid: type.uid, entry }
      const payload = { event, createdAt: now().toISOString(), ...about }
      await new Outbox(entries, table).add(event, webhooks, payload)
    }

  host.hook('octavo:start', ({ registry: { contentTypes } }) => {
    for (const { name, types = [] } of receivers.values())
      for (const uid of types.filter((uid) => !contentTypes.has(uid)))
        throw new ConfigurationError(
          `The webhook "${name}": there is no content-type "${uid}"${didYouMean(uid, contentTypes.keys())}`,
        )
  })
  const hooks = {
    'entry:afterCreate': 'create',
    'entry:afterUpdate': 'update',
    'entry:published': 'publish',
    'entry:unpublished': 'unpublish',
    // The payload is the entry as it was, so it is read before its rows are deleted. A delete that fails undoes the event.
    'entry:beforeDelete': 'delete',
  } as const
  for (const [hook, action] of Object.entries(hooks) as [keyof typeof hooks, string][])
    host.hook(hook, add(action), { types: (type) => wanting(nameOf(action, type), type).length > 0 })
}
