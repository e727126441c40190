import type { Logger, Store } from '@octavo/database'
import { param, sql } from '@octavo/database'
import { thrownText } from '../hooks/hook-answers.ts'
import type { HookRunner } from '../hooks/hook-runner.ts'
import { kindOf } from '../kinds-of-values.ts'
import type { Octavo } from '../octavo.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type { Channel } from './define.ts'
import { Retries } from './retries.ts'

/** The receiving end of a channel. */
export interface ChannelEnd {
  /** Listens. Called before the plugins start, so that no message is missing between what they read and the first one that they receive. */
  open(store: Store): Promise<void>
  /** Called when all plugins have started, since the handler of a message uses what they made. */
  begin(): void
}

export interface ChannelParts {
  readonly hooks: HookRunner
  readonly logger: Logger
  readonly octavo: () => Octavo
  /** Receives the end of each channel. */
  readonly ends: ChannelEnd[]
}

/** The channel of a plugin: messages between the processes of a database, through PostgreSQL's `NOTIFY`. */
export function openChannel<M>(
  plugin: string,
  { hooks, logger, octavo, ends }: ChannelParts,
  receive: (message: M | undefined) => void | Promise<void>,
): Channel<M> {
  const name = `octavo_${plugin.replaceAll('-', '_')}`
  const handling = new Set<Promise<void>>()
  let state: 'starting' | 'running' | 'stopped' = 'starting'
  let isMissing = false
  const handle = async (payload: string | undefined): Promise<void> => {
    try {
      // Safe: only this plugin sends on its channel.
      await receive(payload === undefined ? undefined : (JSON.parse(payload) as M))
      retries.succeeded()
    } catch (error) {
      logger.error({ err: error, plugin }, 'The handler of a channel failed, and is called again')
      retries.failed()
    }
  }
  const take = (payload: string | undefined): void => {
    if (state === 'starting') isMissing = true
    if (state !== 'running') return
    const handled = handle(payload)
    handling.add(handled)
    void handled.finally(() => handling.delete(handled))
  }
  // A message whose handler failed counts as a missing one.
  const retries = new Retries(() => take(undefined))
  ends.push({
    open: (store) => store.listen(name, take),
    begin: () => {
      state = 'running'
      if (isMissing) take(undefined)
    },
  })
  // A handler may use the database, which is closed afterwards: at the end of an import the message of its commit arrives
  // while the process stops.
  hooks.add(plugin, 'octavo:stop', async () => {
    state = 'stopped'
    retries.stop()
    await Promise.all(handling)
  })
  const sending: Channel<M>['sending'] = (message) =>
    sql`pg_notify(${param(name, 'text')}, ${param(payloadOf(plugin, message), 'text')})`
  return {
    publish: async (message, db = octavo().store) => void (await db.run(sql`select ${sending(message)}`)),
    sending,
  }
}

/** Bytes of a message. Source: PostgreSQL, NOTIFY: shorter than 8,000. */
const longest = 7_999

/** @throws PluginError for a message that is not JSON, or too long */
function payloadOf(plugin: string, message: unknown): string {
  const refused = (reason: string): Error =>
    new PluginError(plugin, undefined, `a message of host.channel ${reason}`)
  let text: string | undefined
  try {
    text = JSON.stringify(message)
  } catch (error) {
    throw refused(`is no JSON: ${thrownText(error)}`)
  }
  if (text === undefined) throw refused(`is ${kindOf(message)}, which is no JSON`)
  if (Buffer.byteLength(text) > longest)
    throw refused(`has ${Buffer.byteLength(text)} bytes, of ${longest} at most; send an id in its place`)
  return text
}
