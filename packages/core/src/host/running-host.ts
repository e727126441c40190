import type { Logger } from '../logger.ts'
import type { Octavo } from '../octavo.ts'
import type { HookRunner } from '../plugin/hook-runner.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import { param, sql } from '../sql/sql.ts'
import { doneBefore } from '../store/notes.ts'
import type { Channel, PluginHost } from './define.ts'

/** The methods of a plugin's host that use the running octavo. */
export function runningHost(
  plugin: string,
  hooks: HookRunner,
  logger: Logger,
): Pick<PluginHost, 'start' | 'forEachType' | 'once' | 'channel'> {
  function start<T>(make: (octavo: Octavo) => T | Promise<T>): () => T {
    let made: { readonly value: T } | undefined
    hooks.add(plugin, 'octavo:start', async (octavo) => {
      made = { value: await make(octavo) }
    })
    return () => {
      if (made) return made.value
      throw new PluginError(plugin, undefined, 'the value of host.start is available after the start only')
    }
  }
  const octavo = start((octavo) => octavo)

  return {
    start,
    forEachType: (prepare) => {
      hooks.add(plugin, 'octavo:start', async (octavo) => {
        for (const type of octavo.registry.contentTypes.values()) await prepare(type, octavo)
      })
      hooks.add(plugin, 'content-type:added', prepare)
    },
    once: (key, work) =>
      octavo().store.transaction(async (tx) => {
        if (!(await doneBefore(tx, `${plugin}:${key}`))) await work(tx)
      }),
    channel: <M>(receive: (message: M | undefined) => void | Promise<void>): Channel<M> => {
      const name = `octavo_${plugin.replaceAll('-', '_')}`
      const running = new Set<Promise<void>>()
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
          running.add(handled)
          void handled.finally(() => running.delete(handled))
        }),
      )
      // A handler may use the database, which is closed afterwards: at the end of an import the message of its commit arrives
      // while the process stops.
      hooks.add(plugin, 'octavo:stop', async () => {
        isStopped = true
        await Promise.all(running)
      })
      return {
        publish: async (message, db = octavo().store) =>
          void (await db.run(
            sql`select pg_notify(${param(name, 'text')}, ${param(JSON.stringify(message), 'text')})`,
          )),
      }
    },
  }
}
