import type { Octavo, RequestState } from '@octavo/core'
import { definePlugin, type Plugin, type PluginHost } from '@octavo/core/plugin'
import type { RouteContext } from '@octavo/server'
import { type Cursor, parseCursor, printCursor } from './cursor.ts'
import { describeChanges } from './describe.ts'
import { declareTables, Feed } from './feed.ts'
import { type ChangesOptions, readOptions } from './options.ts'
import { problem } from './problems.ts'
import { recordChanges } from './recording.ts'
import { type Share, SharedReads, unshared } from './shared-reads.ts'
import { type Page, Streams } from './stream.ts'
import { visibleOf } from './visible.ts'

const action = 'plugin::changes.change.find'
/** Interval in milliseconds at which each server moves changes into the feed, besides its readers. */
const moveInterval = 60_000

/**
 * The changes of entries in the order of their commits, within the rights of the caller: `GET /api/_changes?since=<cursor>`.
 *
 *     changes({ keep: 10_000 })
 */
export const changes = (options: ChangesOptions = {}): Plugin =>
  definePlugin({
    name: 'changes',
    setup(host) {
      const settings = readOptions(options)
      const tables = declareTables(host)
      const streams = new Streams(settings)
      const reads = new SharedReads()
      const channel = host.channel<null>(() => {
        reads.renew()
        streams.wake()
      })
      const running = host.start((octavo) => ({
        octavo,
        feed: new Feed(octavo.store, tables, settings.keep),
      }))
      recordChanges(host, tables, channel, () => running().octavo.store.now())
      host.actions(() => [{ name: action }])

      moveRegularly(host, () => running().feed)
      host.hook('server:closing', () => streams.close())
      host.hook('server:describe', describeChanges)
      host.hook('server:routes', (routes) =>
        routes.add({
          method: 'GET',
          path: '/_changes',
          action,
          handler: (context) =>
            answer(context, { ...running(), streams, reads, pageSize: settings.pageSize }),
        }),
      )
    },
  })

/** Moves changes into the feed at each interval, since without readers nothing else would bound the tables. */
function moveRegularly(host: PluginHost, feed: () => Feed): void {
  const move = (): Promise<void> =>
    feed()
      .move()
      .catch((error: unknown) => host.logger.error({ err: error }, 'Changes cannot be moved into the feed'))
  let moving: NodeJS.Timeout | undefined
  let moved: Promise<void> | undefined
  host.hook('server:listen', async () => {
    moving ??= setInterval(() => {
      moved = move()
    }, moveInterval).unref()
    await move()
  })
  host.hook('server:closing', () => clearInterval(moving))
  host.hook('octavo:stop', () => moved)
}

interface Running {
  readonly octavo: Octavo
  readonly feed: Feed
  readonly streams: Streams
  readonly reads: SharedReads
  readonly pageSize: number
}

/** `GET /_changes`: a page, or a stream of events. */
async function answer(context: RouteContext, running: Running): Promise<void> {
  // The server sets the state of the request before it calls a handler.
  const state = context.state.octavo as RequestState
  const isStream = context.accepts('json', 'text/event-stream') === 'text/event-stream'
  const since = sinceOf(context, isStream)
  const { next } = running.streams
  const first: Page =
    since === undefined
      ? { changes: [], cursor: await running.feed.head(), hasMore: false }
      : await pageAfter(since, state, running)
  context.set('Cache-Control', 'private, no-store')
  if (isStream) {
    const read = (after: Cursor): Promise<Page> => pageAfter(after, state, running, running.reads.share)
    return running.streams.open(context, state.caller ?? '', { page: first, next }, read)
  }
  const { changes, cursor, hasMore } = first
  const data = changes.map(({ change }) => change)
  context.body = { data, meta: { cursor: printCursor(cursor), hasMore } }
}

/** The changes after a position that the caller may read. */
async function pageAfter(
  after: Cursor,
  state: RequestState,
  { octavo, feed, pageSize }: Running,
  share: Share = unshared,
): Promise<Page> {
  const found = await share(`feed ${printCursor(after)}`, () => feed.after(after, pageSize))
  return {
    changes: (await visibleOf(octavo, found, state, share)).map((change) => ({
      position: change,
      change: { kind: change.kind, type: change.type, id: change.entry, at: change.at },
    })),
    cursor: found.at(-1) ?? after,
    hasMore: found.length === pageSize,
  }
}

/** The position in `since`, or of the last event that a stream has received. @throws ValidationError */
function sinceOf(context: RouteContext, isStream: boolean): Cursor | undefined {
  const last = isStream ? context.get('Last-Event-ID') : ''
  // Without this a list would be no cursor, and the answer that of a new reader: the changes since the cursor would be lost.
  if (Object.keys(context.query).some((name) => name.startsWith('since[')))
    throw problem('changes/bad-cursor')
  const given = last === '' ? context.query.since : last
  if (given === undefined) return undefined
  const position = typeof given === 'string' ? parseCursor(given) : undefined
  if (position === undefined) throw problem('changes/bad-cursor')
  return position
}
