import type { Logger } from '@octavo/database'
import type { HookRunner } from '../hooks/hook-runner.ts'
import { kindOf } from '../kinds-of-values.ts'
import type { Octavo } from '../octavo.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import { doneBefore } from '../schema/notes.ts'
import { type ChannelEnd, openChannel } from './channel.ts'
import type { PluginHost } from './define.ts'

/** The methods of a plugin's host that use the running octavo. @param ends Receives the end of each channel. */
export function runningHost(
  plugin: string,
  hooks: HookRunner,
  logger: Logger,
  ends: ChannelEnd[],
): Pick<PluginHost, 'start' | 'forEachType' | 'once' | 'channel'> {
  const requireFunction = (method: string, given: unknown): void => {
    if (typeof given !== 'function')
      throw new PluginError(plugin, undefined, `host.${method} takes a function, not ${kindOf(given)}`)
  }
  function start<T>(
    make: (octavo: Octavo) => T | Promise<T>,
    early = 'the value of host.start is available after the start only',
  ): () => T {
    requireFunction('start', make)
    let made: { readonly value: T } | undefined
    hooks.add(plugin, 'octavo:start', async (octavo) => {
      made = { value: await make(octavo) }
    })
    return () => {
      if (made) return made.value
      throw new PluginError(plugin, undefined, early)
    }
  }
  const octavo = start(
    (octavo) => octavo,
    'host.once and channels are available after the start only, such as in host.start or host.forEachType',
  )

  return {
    start: (make) => start(make),
    forEachType: (prepare) => {
      requireFunction('forEachType', prepare)
      hooks.add(plugin, 'octavo:start', async (octavo) => {
        for (const type of octavo.registry.contentTypes.values()) await prepare(type, octavo)
      })
      hooks.add(plugin, 'content-type:added', prepare)
    },
    once: (key, work) =>
      octavo().store.transaction(async (tx) => {
        if (await doneBefore(tx, `${plugin}:${key}`)) return
        await tx.liftTimeLimits()
        await work(tx)
      }),
    channel: (receive) => {
      requireFunction('channel', receive)
      return openChannel(plugin, { hooks, logger, octavo, ends }, receive)
    },
  }
}
