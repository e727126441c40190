import { definePlugin, type Plugin } from '@octavo/core/plugin'
import type {} from '@octavo/server'
import { listCommand, replayCommand } from './commands.ts'
import { Dispatcher } from './dispatcher.ts'
import { recordEvents } from './events.ts'
import { readOptions, type WebhooksOptions } from './options.ts'
import { declareDeliveries, Outbox } from './outbox.ts'
import { Receivers } from './receivers.ts'
import { addWebhookRoutes } from './stored/routes.ts'
import { webhooksSection } from './stored/section.ts'
import { StoredWebhooks } from './stored/stored-webhooks.ts'
import { declareWebhooks } from './stored/table.ts'

/**
 * Sends the events of entries and files to other servers: written in the transaction of the write, delivered at least once.
 *
 *     webhooks({ webhooks: [{ name: 'site', url: 'https://example.com/hook', secrets: [process.env.HOOK_SECRET] }] })
 */
export const webhooks = (options: WebhooksOptions = {}): Plugin =>
  definePlugin({
    name: 'webhooks',
    setup(host) {
      const settings = readOptions(options)
      const deliveries = declareDeliveries(host)
      const receivers = new Receivers(settings.configured)
      const octavo = host.start(async (octavo) => {
        await stored.read(octavo.store)
        return octavo
      })
      const changes = host.channel<null>(() => stored.readAfterChange(octavo().store))
      const tables = { webhooks: declareWebhooks(host), deliveries }
      const stored = new StoredWebhooks({ tables, settings, receivers, changes })
      recordEvents(host, deliveries, receivers, () => octavo().store.now())
      host.section('webhooks', webhooksSection(stored))
      host.hook('server:manage', (routes) =>
        addWebhookRoutes(routes, { octavo, stored, deliveries, settings, receivers, logger: host.logger }),
      )
      host.command('webhooks list', listCommand(deliveries, receivers))
      host.command('webhooks replay', replayCommand(deliveries))

      // Programs without a server, such as commands, write events only.
      let dispatcher: Dispatcher | undefined
      host.hook('server:listen', () => {
        const { store } = octavo()
        dispatcher ??= new Dispatcher({
          outbox: new Outbox(store, deliveries),
          settings,
          receivers,
          logger: host.logger,
          now: () => store.now(),
          removeLeft: () => stored.removeLeft(store),
        })
        dispatcher.wake()
      })
      host.hook('entry:committed', () => dispatcher?.wake())
      // From here on, another process takes the deliveries; deliveries in progress continue beside the last requests.
      host.hook('server:closing', () => void dispatcher?.stop())
      host.hook('octavo:stop', () => dispatcher?.stop())
    },
  })
