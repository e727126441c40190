import type { Mistake } from '@octavo/core'
import { contentActionsOf, isObject } from '@octavo/core/internal'
import { type Body, mistake, throwIfAny } from '../input/input.ts'
import { isActionName } from '../rights/action-names.ts'
import type { Grants } from '../rights/grants.ts'
import type { Service } from '../service.ts'

/** Actions by controller, and controllers by the type or plugin that they belong to. */
type Tree = Record<
  string,
  { controllers: Record<string, Record<string, { enabled: boolean; policy: string }>> }
>

/** An object without a prototype, since its keys come from requests and may be `__proto__`. */
const emptyRecord = <T>(): Record<string, T> => Object.create(null) as Record<string, T>

/** All actions: those of routes and of content-types, and those that the role has, which are enabled. */
export function tree(service: Service, routeActions: readonly string[], grants: Grants): Tree {
  const actions = new Set(routeActions)
  for (const type of service.octavo.registry.contentTypes.values()) {
    if (!type.uid.startsWith('api::')) continue
    for (const name of contentActionsOf(type)) actions.add(`${type.uid}.${name}`)
  }
  for (const action of grants.actions) actions.add(action)
  const result: Tree = emptyRecord()
  for (const action of [...actions].sort()) {
    const [owner = '', controller = '', name = ''] = action.split('.')
    result[owner] ??= { controllers: emptyRecord() }
    const { controllers } = result[owner]
    controllers[controller] ??= emptyRecord()
    controllers[controller][name] = { enabled: grants.of(action) !== undefined, policy: '' }
  }
  return result
}

/** Mistakes of a tree that are listed; the last one counts the others. */
const mostMistakes = 10

/**
 * The actions that a body's tree enables; `undefined` when it has none.
 * @param isKnown Whether an action exists, or the role has it already, such as an action of a removed content-type.
 * @throws ValidationError that names unknown actions.
 */
export function readTree(
  { permissions: given }: Body,
  isKnown: (action: string) => boolean,
): ReadonlySet<string> | undefined {
  if (given === undefined) return undefined
  const unknown: string[] = []
  const enabled = new Set<string>()
  for (const [owner, group] of entriesOf(given))
    for (const [controller, actions] of entriesOf((group as Body | null)?.controllers))
      for (const [name, action] of entriesOf(actions)) {
        if ((action as Body | null)?.enabled !== true) continue
        const uid = `${owner}.${controller}.${name}`
        if (isActionName(uid) && isKnown(uid)) enabled.add(uid)
        else unknown.push(uid)
      }
  throwIfAny(mistakesOf(unknown))
  return enabled
}

function mistakesOf(unknown: readonly string[]): readonly Mistake[] {
  const named = unknown
    .slice(0, mostMistakes)
    .map((uid) => mistake('permissions', `"${uid.slice(0, 100)}" is no action`))
  const further = unknown.length - named.length
  return further > 0 ? [...named, mistake('permissions', `${further} more names are no actions`)] : named
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : []
