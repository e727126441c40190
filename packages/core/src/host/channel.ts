import type { Logger } from '@octavo/database'
import { param, sql } from '@octavo/database'
import type { Octavo } from '../octavo.ts'
import type { HookRunner } from '../plugin/hook-runner.ts'
import type { Channel } from './define.ts'

/** The channel of a plugin: messages between the processes of a database, through PostgreSQL's `NOTIFY`. */
export function openChannel<M>(
  plugin: string,
  hooks: HookRunner,
  logger: Logger,
  octavo: () => Octavo,
  receive: (message: M | undefined) => void | Promise<void>,
): Channel<M> {
  const name = `octavo_${plugin.replaceAll('-', '_')}`
  const handling = new Set<Promise<void>>()
  let isStopped = false
  const handle = async (payload: string | undefined): Promise<void> => {
    try {
      // Safe: only this plugin sends on its channel.
      await receive(payload === undefined ? undefined : (JSON.parse(payload) as M))
    } catch (error) {
      logger.error({ err: error, plugin }, 'The handler of a channel failed')
    }
  }
  hooks.add(plugin, 'octavo:start', ({ store }) =>
    store.listen(name, (payload) => {
      if (isStopped) return
      const handled = handle(payload)
      handling.add(handled)
      void handled.finally(() => handling.delete(handled))
    }),
  )
  // A handler may use the database, which is closed afterwards: at the end of an import the message of its commit arrives
  // while the process stops.
  hooks.add(plugin, 'octavo:stop', async () => {
    isStopped = true
    await Promise.all(handling)
  })
  const sending: Channel<M>['sending'] = (message) =>
    sql`pg_notify(${param(name, 'text')}, ${param(JSON.stringify(message), 'text')})`
  return {
    publish: async (message, db = octavo().store) => void (await db.run(sql`select ${sending(message)}`)),
    sending,
  }
}
