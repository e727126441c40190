import { didYouMean } from '../content-type/nearest.ts'
import { kindOf } from '../kinds-of-values.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import { checkWriteFilter } from './check-write-filter.ts'
import { isAsync } from './hook-answers.ts'
import type { HookRow } from './hook-row.ts'

/** Checks a handler and its filter, for plugins that no compiler has checked. @throws PluginError */
export function checkHandler(
  rows: ReadonlyMap<string, HookRow>,
  plugin: string,
  hook: string,
  handler: unknown,
  filter: unknown,
): void {
  const row = rows.get(hook)
  if (!row)
    throw new PluginError(plugin, undefined, `there is no hook "${hook}"${hintFor(hook, [...rows.keys()])}`)
  if (typeof handler !== 'function')
    throw new PluginError(plugin, hook, `the handler is no function, but ${kindOf(handler)}`)
  if ((row.kind === 'collect' || row.kind === 'register') && isAsync(handler))
    throw new PluginError(plugin, hook, 'the handler is async, and this hook is synchronous')
  if (filter !== undefined) checkWriteFilter(plugin, hook, filter)
}

const hintFor = (hook: string, known: readonly string[]): string =>
  hook.startsWith('server:') && !known.some((name) => name.startsWith('server:'))
    ? ' without a server: use createServer, or createOctavo({ hooks: serverHooks }), both of @octavo/server'
    : didYouMean(hook, known, `; there are ${known.join(', ')}`)
