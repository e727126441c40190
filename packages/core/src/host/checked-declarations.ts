/** Checks of declarations, for plugins that no compiler has checked. */
import { ConfigurationError, OctavoError } from '@octavo/database'
import { type AttributeType, InvalidValue } from '../content-type/attribute-type.ts'
import { nearest } from '../content-type/nearest.ts'
import { atOnce, isAsync, thrownText } from '../hooks/hook-answers.ts'
import { isObject, kindOf } from '../kinds-of-values.ts'
import type { OperatorCommand } from '../octavo.ts'
import type { ActionSource } from '../plugin/actions.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { Plugin } from './define.ts'

const lists = ['before', 'after', 'requires'] as const
const keys: readonly string[] = ['name', ...lists, 'guards', 'engines', 'setup']

/** @throws ConfigurationError for a name that is not a text, a value in place of a list, and a misspelt key of a plugin */
export function checkPlugin(plugin: Plugin, place: string): void {
  const { name } = plugin as { readonly name: unknown }
  if (typeof name !== 'string' || name === '')
    throw new ConfigurationError(`${place}: the name of a plugin is a text, not ${textOf(name)}`)
  const mistake = (message: string): Error => new ConfigurationError(`The plugin "${name}": ${message}`)
  for (const key of lists) {
    const given: unknown = plugin[key]
    // A text would be read as a list of its letters, none of which is a plugin.
    if (given !== undefined && !(Array.isArray(given) && given.every((one) => typeof one === 'string')))
      throw mistake(`${key} is a list of names of plugins, not ${textOf(given)}`)
  }
  const { guards, engines } = plugin as { readonly guards?: unknown; readonly engines?: unknown }
  if (guards !== undefined && typeof guards !== 'string')
    throw mistake(`guards is a phrase, not ${textOf(guards)}`)
  if (
    engines !== undefined &&
    !(isObject(engines) && ['undefined', 'string'].includes(typeof engines.octavo))
  )
    throw mistake(`engines is an object such as { octavo: '>=1.2 <3' }, not ${textOf(engines)}`)
  refuseMisspelt(plugin, keys, (text) => mistake(`there is ${text}`))
}

/** Refuses a key that is nearly one of the known ones. Objects of plugins may have members of their own. */
export function refuseMisspelt(
  given: object,
  known: readonly string[],
  mistake: (text: string) => Error,
): void {
  for (const key of Object.keys(given).filter((one) => !known.includes(one))) {
    const meant = nearest(key, known)
    if (meant !== undefined) throw mistake(`no key "${key}"; did you mean "${meant}"?`)
  }
}

/** @throws PluginError for a command that the command line could not run */
export function checkCommand(plugin: string, words: string, command: OperatorCommand): void {
  const given: unknown = command
  const { run, description } = isObject(given) ? given : {}
  const mistake = (what: string): Error =>
    new PluginError(plugin, undefined, `the command "${words}" has no ${what}`)
  if (typeof description !== 'string') throw mistake('text "description"')
  if (typeof run !== 'function') throw mistake('function "run"')
}

/** The definition that a plugin adds. @throws PluginError for what no object is; the registry finds other mistakes */
export function checkedDefinition<D extends object>(plugin: string, method: string, definition: D): D {
  if (isObject(definition)) return definition
  throw new PluginError(plugin, undefined, `host.${method} takes a definition, not ${kindOf(definition)}`)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : kindOf(value))

const functions: Readonly<Record<AttributeType['kind'], readonly string[]>> = {
  scalar: ['column', 'check', 'fromQuery', 'fromJson', 'constraints', 'toJson', 'toText'],
  link: ['many', 'check'],
  siblings: [],
}

/** @throws PluginError for an attribute type that lacks a part */
export function checkAttributeType(plugin: string, type: AttributeType): void {
  const given: unknown = type
  if (!isObject(given) || typeof given.name !== 'string')
    throw new PluginError(
      plugin,
      undefined,
      `an attribute type is an object with a name, not ${kindOf(type)}`,
    )
  const mistake = (message: string): Error =>
    new PluginError(plugin, undefined, `the attribute type "${given.name}" ${message}`)
  const kind = String(given.kind)
  if (!Object.hasOwn(functions, kind))
    throw mistake(`has the kind ${textOf(given.kind)}, not one of ${Object.keys(functions).join(', ')}`)
  const missing = functions[type.kind].find((key) => typeof given[key] !== 'function')
  if (missing !== undefined) throw mistake(`has no function "${missing}"`)
  if (kind === 'scalar' && !Array.isArray(given.operators)) throw mistake('has no list "operators"')
  if (kind === 'scalar' && typeof given.parameter !== 'string') throw mistake('has no text "parameter"')
}

/** A function of the state of a request, whose errors and wrong results name the plugin. @param what `the fact "region"` */
export function checkedValue<T>(
  plugin: string,
  what: string,
  of: (state: RequestState) => T,
  { expected, accepts }: { readonly expected: string; readonly accepts: (value: unknown) => boolean },
): (state: RequestState) => T {
  requireNow(plugin, what, of)
  return (state) => {
    const value = blamed(plugin, what, () => of(state))
    if (!accepts(value))
      throw new PluginError(plugin, undefined, `${what} is ${kindOf(value)}, not ${expected}`)
    return value
  }
}

/** The result of a part of a plugin, whose error names it. Errors for the client pass. @throws PluginError */
export function blamed<T>(plugin: string, what: string, work: () => T): T {
  try {
    return atOnce(work())
  } catch (error) {
    if (error instanceof OctavoError || error instanceof PluginError || error instanceof InvalidValue)
      throw error
    throw new PluginError(plugin, undefined, `${what}: ${thrownText(error)}`, error)
  }
}

/** @throws PluginError for an `async` function where the result is used at once: all requests would have the same promise. */
export function requireNow(plugin: string, what: string, given: unknown): void {
  if (typeof given !== 'function') throw new PluginError(plugin, undefined, `${what} is no function`)
  if (isAsync(given))
    throw new PluginError(plugin, undefined, `${what} is async, and its result is used at once`)
}

/** The actions of a plugin, whose mistakes name it. */
export function checkedActions(plugin: string, source: ActionSource): ActionSource {
  const what = 'the argument of host.actions'
  requireNow(plugin, what, source)
  return (registry) => {
    const actions: unknown = blamed(plugin, what, () => source(registry))
    const isAction = (one: unknown): boolean => isObject(one) && typeof one.name === 'string'
    if (!Array.isArray(actions) || !actions.every(isAction))
      throw new PluginError(
        plugin,
        undefined,
        `${what} returned ${kindOf(actions)}, not a list of actions such as { name: 'plugin::reports.report.find' }`,
      )
    return actions
  }
}
