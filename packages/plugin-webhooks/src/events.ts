import { ConfigurationError, type Sql, sql } from '@octavo/core'
import { didYouMean, mayBePublicLater, publicFromOf } from '@octavo/core/internal'
import {
  type ContentType,
  type PluginHost,
  param,
  rowJson,
  type StatementEvent,
  type WriteStatement,
} from '@octavo/core/plugin'
import { type Deliveries, deliveryOf } from './outbox.ts'
import { followPublication, laterPublication } from './publication.ts'
import type { Receivers } from './receivers.ts'

/** The content-type of files in `plugin-upload`. */
export const fileUid = 'plugin::upload.file'

/** The events by the changes of `entry:statements`. An update that is a publication is two events. */
const actions = {
  created: 'create',
  updated: 'update',
  published: 'publish',
  unpublished: 'unpublish',
  postponed: 'unpublish',
  deleted: 'delete',
} as const

/** The changes that only some updates are: `entry:change` decides in the database. */
const named: ReadonlySet<string> = new Set(['published', 'unpublished', 'postponed'])

/** The body of an event, an expression over the row `t` of the entry. */
function bodyOf(event: string, type: ContentType, createdAt: Date): Sql {
  const isMedia = type.uid === fileUid
  const about = isMedia ? {} : { model: type.singularName, uid: type.uid }
  const head = JSON.stringify({ event, createdAt: createdAt.toISOString(), ...about }).slice(0, -1)
  const readable = [...type.attributes.values()].filter((a) => a.kind === 'scalar' && !a.private)
  const entry = rowJson(type, ['id', ...readable.map(({ name }) => name)], 't')
  return sql`${param(`${head},"${isMedia ? 'media' : 'entry'}":`, 'text')} || ${entry} || '}'`
}

/** Writes the events of each write to the outbox, in the message of the write. */
export function recordEvents(
  host: PluginHost,
  table: Deliveries,
  receivers: Receivers,
  now: () => Date,
): void {
  /** The keys of the webhooks that want an event. */
  const wanting = (event: string, { uid }: ContentType): readonly string[] =>
    [...receivers.all.values()]
      .filter(({ types }) => uid === fileUid || (types?.includes(uid) ?? uid.startsWith('api::')))
      .filter(({ events }) => events.has(event))
      .map(({ key }) => key)

  const nameOf = (action: string, { uid }: ContentType): string =>
    `${uid === fileUid ? 'media' : 'entry'}.${action}`

  const add = (
    change: keyof typeof actions,
    { type, written }: StatementEvent,
  ): readonly WriteStatement[] => {
    const event = nameOf(actions[change], type)
    const webhooks = wanting(event, type)
    if (webhooks.length === 0) return []
    const which = named.has(change)
      ? sql`(select * from ${written} as "w" where "w"."change" = ${sql.lit(change)})`
      : written
    const from = sql`${which} as "w" join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id"`
    // The payload of a deletion is the entry as it was.
    const when = change === 'deleted' ? 'before' : 'after'
    const values = { from, body: bodyOf(event, type, now()) }
    return [{ when, statement: deliveryOf(table, event, webhooks, values) }]
  }

  /** The event at the time of `publishedAt`, where that is in the future, and what a write changes of it. */
  const publishLater = (event: StatementEvent): readonly WriteStatement[] => {
    const { type, written } = event
    const at = publicFromOf(type)
    if (!at) return []
    const name = nameOf('publish', type)
    const webhooks = wanting(name, type)
    const body = bodyOf(name, type, now())
    const parts = { table, type, written, body, at }
    return [
      // Needed although no webhook wants such events now, because the deliveries of a disabled webhook wait.
      ...followPublication(parts, event),
      ...(webhooks.length > 0 && mayBePublicLater(event, at, now())
        ? [laterPublication(parts, name, webhooks)]
        : []),
    ]
  }

  host.hook('octavo:start', ({ registry: { contentTypes } }) => {
    for (const { name, types = [] } of receivers.configured.values())
      for (const uid of types.filter((uid) => !contentTypes.has(uid)))
        throw new ConfigurationError(
          `The webhook "${name}": there is no content-type "${uid}"${didYouMean(uid, contentTypes.keys())}`,
        )
  })
  host.hook(
    'entry:statements',
    (event) => [
      ...event.changes.filter(isKnown).flatMap((change) => add(change, event)),
      ...publishLater(event),
    ],
    {
      types: (type) =>
        Object.values(actions).some((action) => wanting(nameOf(action, type), type).length > 0) ||
        (receivers.areAny && publicFromOf(type) !== undefined),
    },
  )
}

const isKnown = (change: string): change is keyof typeof actions => Object.hasOwn(actions, change)
