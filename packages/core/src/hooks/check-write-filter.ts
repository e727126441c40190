import type { Registry } from '../content-type/model.ts'
import { didYouMean, meantUid } from '../content-type/nearest.ts'
import { isObject, kindOf } from '../kinds-of-values.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import { isAsync } from './hook-answers.ts'

/** The hooks that a key of a filter has a meaning for; `undefined` for all of writes. */
const keys: Readonly<Record<string, readonly string[] | undefined>> = {
  types: undefined,
  when: undefined,
  database: ['entry:input', 'entry:strictness'],
  if: ['entry:beforeUpdate', 'entry:afterUpdate'],
  sends: undefined,
}

/**
 * Checks the filter of a handler, for plugins that no compiler has checked. A misspelt key would make the handler run for all writes, and a text
 * in place of a list for every uid that is part of it.
 *
 * @throws PluginError
 */
export function checkWriteFilter(plugin: string, hook: string, filter: unknown): void {
  const mistake = (message: string): PluginError => new PluginError(plugin, hook, message)
  if (!hook.startsWith('entry:')) throw mistake('only the hooks of writes, entry:…, have a filter')
  if (!isObject(filter))
    throw mistake(
      `the filter is ${kindOf(filter)}, not an object such as { types: ['api::article.article'] }`,
    )
  for (const [key, value] of Object.entries(filter)) {
    if (!Object.hasOwn(keys, key)) {
      const known = Object.keys(keys)
      throw mistake(
        `the filter has no key "${key}"${didYouMean(key, known, `; there are ${known.join(', ')}`)}`,
      )
    }
    if (value === undefined) continue
    if (key === 'sends' && !hook.startsWith('entry:after'))
      throw mistake('only the hooks after a write, entry:after…, send statements with it')
    const hooks = keys[key]
    if (hooks && !hooks.includes(hook))
      throw mistake(`the key "${key}" of a filter is for ${hooks.join(' and ')} only`)
    // A promise is true, so that the handler would run for every write.
    if (isAsync(value))
      throw mistake(`the key "${key}" of the filter is async, and its result is used at once`)
    const expected = expectations[key]
    if (expected && !expected.accepts(value))
      throw mistake(`the key "${key}" of the filter is ${kindOf(value)}, not ${expected.what}`)
  }
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

const expectations: Readonly<Record<string, { what: string; accepts: (value: unknown) => boolean }>> = {
  types: {
    what: "a list of uids, such as ['api::article.article'], or a function of the content-type",
    accepts: (value) =>
      isFunction(value) || (Array.isArray(value) && value.every((uid) => typeof uid === 'string')),
  },
  when: { what: 'a function of the write', accepts: isFunction },
  database: {
    what: 'true, false or a function of the write',
    accepts: (value) => isFunction(value) || typeof value === 'boolean',
  },
  if: { what: 'a function of the write', accepts: isFunction },
  sends: { what: 'a function of the write', accepts: isFunction },
}

/** A uid in the filter of a handler. */
export interface FilterType {
  readonly plugin: string
  readonly hook: string
  readonly uid: string
}

/**
 * Sentences about handlers for a content-type that is not there, where one with nearly the same uid, or of that name, is: such a handler
 * never runs. Others may be for a type of a plugin that this server does not have, or that a program adds later.
 */
export function unknownFilterTypes(
  given: readonly FilterType[],
  { contentTypes }: Registry,
): readonly string[] {
  return given.flatMap(({ plugin, hook, uid }) => {
    if (contentTypes.has(uid)) return []
    const meant = meantUid(uid, contentTypes)
    return meant === undefined
      ? []
      : [
          `Plugin "${plugin}" in ${hook}: there is no content-type "${uid}"; did you mean "${meant}"? The handler never runs for it.`,
        ]
  })
}
