/** Errors of handlers, and of the filters of handlers, with the names of their plugin and hook. */
import { isPassing, OctavoError } from '@octavo/database'
import { PluginError } from '../plugin/plugin-error.ts'
import type { FilteredEvent, WriteFilter } from '../plugin/write-event.ts'
import { atOnce, thrownText } from './hook-answers.ts'

function isMeant({ types, when }: WriteFilter, event: FilteredEvent): boolean {
  const isOfType =
    types === undefined ||
    (typeof types === 'function' ? atOnce(types(event.type)) : types.includes(event.type.uid))
  return isOfType && (atOnce(when?.(event)) ?? true)
}

/** Whether a handler is for a write. @throws PluginError for a filter that fails */
export function isFor(
  { plugin, filter }: { readonly plugin: string; readonly filter: WriteFilter | undefined },
  hook: string,
  event: FilteredEvent,
): boolean {
  if (!filter) return true
  try {
    return isMeant(filter, event)
  } catch (error) {
    throw blame(plugin, hook, error)
  }
}

export function asked<T>(plugin: string, hook: string, question: () => T): T {
  try {
    return atOnce(question())
  } catch (error) {
    throw blame(plugin, hook, error)
  }
}

/** Conditions of the database that pass are not mistakes of the plugin whose statement meets them. */
export const blame = (plugin: string, hook: string, error: unknown): Error =>
  error instanceof OctavoError || error instanceof PluginError || isPassing(error)
    ? error
    : new PluginError(plugin, hook, thrownText(error), error)

export function attempt(
  work: () => unknown,
  failed: ((error: unknown, plugin: string) => void) | undefined,
  plugin: string,
): unknown {
  try {
    return work()
  } catch (error) {
    if (!failed) throw error
    failed(error, plugin)
    return undefined
  }
}
