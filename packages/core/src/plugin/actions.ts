import { contentActionsOf } from '../content-type/content-actions.ts'
import type { ContentType, Registry } from '../content-type/model.ts'

/** A limit that a permission may put on an action: only some entries, or only some attributes. */
export type ActionLimit = 'where' | 'fields'

/** An action that a permission can name. */
export interface ActionDeclaration {
  /** `plugin::upload.content-api.find`: the `action` of a route. */
  readonly name: string
  /**
   * The content-type (by uid) whose entries the action works on, and the `action` that its handler passes to `read` and
   * `write`: `{ type: 'plugin::upload.file', as: 'find' }`. Default: the action works on no entries.
   */
  readonly entries?: { readonly type: string; readonly as: string }
  /**
   * The limits that the handler enforces, because it reads and writes the entries with the state of its request. A
   * permission with another limit stops the start. Default: none.
   */
  readonly enforces?: readonly ActionLimit[]
}

/** Both limits: for handlers that reach entries only through `read` and `write` with the state of the request. */
export const allLimits: readonly ActionLimit[] = ['where', 'fields']

/** Declares actions. It runs again when a content-type is added. */
export type ActionSource = (registry: Registry) => readonly ActionDeclaration[]

/**
 * Every action that can be permitted, by name: those of the content endpoints, those that plugins declare, and `find` of
 * every other type, which populating relations to that type requires.
 */
export function actionsOf(
  registry: Registry,
  sources: readonly ActionSource[],
): ReadonlyMap<string, ActionDeclaration> {
  const actions = new Map<string, ActionDeclaration>()
  for (const type of registry.contentTypes.values())
    for (const as of endpointsOf(type))
      actions.set(`${type.uid}.${as}`, {
        name: `${type.uid}.${as}`,
        entries: { type: type.uid, as },
        enforces: allLimits,
      })
  const declared = sources.flatMap((source) => source(registry))
  // An action that a plugin declares as `find` of a type replaces the generic one.
  for (const { name, entries } of declared)
    if (entries?.as === 'find' && !entries.type.startsWith('api::') && name !== `${entries.type}.find`)
      actions.delete(`${entries.type}.find`)
  for (const action of declared) actions.set(action.name, action)
  return actions
}

const endpointsOf = (type: ContentType): readonly string[] =>
  type.uid.startsWith('api::') ? contentActionsOf(type) : ['find']
