import { contentActionsOf, isObject, type Mistake } from '@octavo/core'
import { type Body, mistake, throwIfAny } from '../input.ts'
import { isActionName } from '../rights/action-names.ts'
import type { Service } from '../service.ts'

/** Actions by controller, and controllers by the type or plugin that they belong to. */
type Tree = Record<
  string,
  { controllers: Record<string, Record<string, { enabled: boolean; policy: string }>> }
>

/** An object without a prototype, since its keys come from requests and may be `__proto__`. */
const emptyRecord = <T>(): Record<string, T> => Object.create(null) as Record<string, T>

/** All actions: those of routes, of content-types, and those that a role has. */
export async function tree(
  service: Service,
  routeActions: readonly string[],
  isEnabled: (action: string) => boolean,
): Promise<Tree> {
  const actions = new Set(routeActions)
  for (const type of service.octavo.registry.contentTypes.values()) {
    if (!type.uid.startsWith('api::')) continue
    for (const name of contentActionsOf(type)) actions.add(`${type.uid}.${name}`)
  }
  for (const { grants } of (await service.directory.roles()).values())
    for (const action of grants.actions) actions.add(action)
  const result: Tree = emptyRecord()
  for (const action of [...actions].sort()) {
    const [owner = '', controller = '', name = ''] = action.split('.')
    result[owner] ??= { controllers: emptyRecord() }
    const { controllers } = result[owner]
    controllers[controller] ??= emptyRecord()
    controllers[controller][name] = { enabled: isEnabled(action), policy: '' }
  }
  return result
}

/** The actions that a body's tree enables; `undefined` when it has none. @throws ValidationError */
export function readTree({ permissions: given }: Body): ReadonlySet<string> | undefined {
  if (given === undefined) return undefined
  const mistakes: Mistake[] = []
  const enabled = new Set<string>()
  for (const [owner, group] of entriesOf(given))
    for (const [controller, actions] of entriesOf((group as Body | null)?.controllers))
      for (const [name, action] of entriesOf(actions)) {
        if ((action as Body | null)?.enabled !== true) continue
        const uid = `${owner}.${controller}.${name}`
        if (isActionName(uid)) enabled.add(uid)
        else mistakes.push(mistake('permissions', `"${uid.slice(0, 100)}" is no action`))
      }
  throwIfAny(mistakes)
  return enabled
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : []
