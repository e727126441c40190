import { ConfigurationError, type Octavo } from '@octavo/core'
import { didYouMean } from '@octavo/core/internal'
import type { ActionDeclaration } from '@octavo/core/plugin'
import type { Permission } from './grants.ts'

/**
 * @param where The place of the permission, for the message: `permissions.public`.
 * @throws ConfigurationError when the action does not exist, with the nearest one that does.
 */
export function checkAction(
  name: string,
  actions: ReadonlyMap<string, ActionDeclaration>,
  where: string,
): ActionDeclaration {
  const action = actions.get(name)
  if (action) return action
  const hint = name.includes('*')
    ? '; only octavo permissions grant takes patterns: name each action here'
    : didYouMean(name, actions.keys())
  throw new ConfigurationError(`${where}: there is no action "${name}"${hint}`)
}

/**
 * @throws ConfigurationError for an action that does not exist, and for a limit that the code of the action does not
 *   enforce, which would protect nothing.
 */
export function checkPermission(permission: Permission, octavo: Octavo, where: string): void {
  const { entries, enforces = [] } = checkAction(permission.action, octavo.actions, where)
  for (const limit of ['where', 'fields'] as const) {
    if (permission[limit] === undefined) continue
    if (!enforces.includes(limit))
      throw new ConfigurationError(
        `${where}: "${limit}" of ${permission.action} is not enforced by that action; leave it out, or grant another action`,
      )
  }
  const model = entries && octavo.registry.contentTypes.get(entries.type)
  const unknown = permission.fields?.find(
    (name) =>
      name !== 'id' &&
      model &&
      !model.attributes.has(name) &&
      !model.morphs.has(name) &&
      !model.uses.has(name),
  )
  if (model && unknown !== undefined)
    throw new ConfigurationError(
      `${where}: ${permission.action} names the field "${unknown}", which ${model.uid} does not have${didYouMean(unknown, model.attributes.keys())}`,
    )
}
