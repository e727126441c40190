import { definePlugin, type Plugin } from '@octavo/core/plugin'
import type {} from '@octavo/server'
import { listCommand, replayCommand } from './commands.ts'
import { Dispatcher } from './dispatcher.ts'
import { recordEvents } from './events.ts'
import { readOptions, type WebhooksOptions } from './options.ts'
import { declareDeliveries, Outbox } from './outbox.ts'

/**
 * Sends the events of entries and files to other servers: written in the transaction of the write, delivered at least once.
 *
 *     webhooks({ webhooks: [{ name: 'site', url: 'https://example.com/hook', secrets: [process.env.HOOK_SECRET] }] })
 */
export const webhooks = (options: WebhooksOptions): Plugin =>
  definePlugin({
    name: 'webhooks',
    setup(host) {
      const settings = readOptions(options)
      const table = declareDeliveries(host)
      const octavo = host.start((octavo) => octavo)
      recordEvents(host, table, settings, () => octavo().store.now())
      host.command('webhooks list', listCommand(table))
      host.command('webhooks replay', replayCommand(table))

      // Programs without a server, such as commands, write events only.
      let dispatcher: Dispatcher | undefined
      host.hook('server:listen', () => {
        dispatcher ??= new Dispatcher(new Outbox(octavo().store, table), settings, host.logger)
        dispatcher.wake()
      })
      host.hook('entry:committed', () => dispatcher?.wake())
      // From here on, another process takes the deliveries; those under way go on beside the last requests.
      host.hook('server:closing', () => void dispatcher?.stop())
      host.hook('octavo:stop', () => dispatcher?.stop())
    },
  })
