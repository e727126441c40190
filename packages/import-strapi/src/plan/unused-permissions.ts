import { isContentAction } from '@octavo/core/internal'
import type { Registry } from '@octavo/core/plugin'
import type { ApiTokenRecord } from '../records.ts'
import type { SmallRows } from './scan.ts'

/** A permission of an API token that allows nothing here. */
export interface LeftOfToken {
  readonly token: string
  readonly action: string
}

/** A permission of a role that allows nothing here. */
export interface LeftOfRole {
  /** The type of the role, such as `public`. */
  readonly role: string
  readonly action: string
}

/** The parts of a server that decide what a permission allows. */
export interface Target {
  readonly registry: Registry
  /** The actions that permissions can name. */
  readonly actions: ReadonlyMap<string, unknown>
}

/** Actions of Strapi's plugins that Octavo's have too. */
const ofPlugins =
  /^plugin::(upload\.content-api|users-permissions\.(auth|user|role|permissions)|i18n\.locales)\./

/** Whether an action belongs to a type, a plugin or a controller that the server does not have. */
function allowsNothing(action: string, { registry, actions }: Target): boolean {
  if (actions.has(action) || ofPlugins.test(action)) return false
  const at = action.lastIndexOf('.')
  const name = action.slice(at + 1)
  return (
    !registry.contentTypes.has(action.slice(0, at)) ||
    !(isContentAction(name) || name === 'createLocalization')
  )
}

/** The permissions of tokens that allow nothing here. They stay with the token, which has no use of them. */
export const tokensLeft = (tokens: readonly ApiTokenRecord[], target: Target): readonly LeftOfToken[] =>
  tokens.flatMap(({ name, type, permissions }) =>
    type !== 'custom'
      ? []
      : permissions
          .filter((action) => allowsNothing(action, target))
          .map((action) => ({ token: name, action })),
  )

/** The permissions of roles that allow nothing here. An endpoint of the project's own code is often named by nothing else in an archive. */
export function rolesLeft(
  { roles, permissions }: SmallRows,
  roleOf: ReadonlyMap<number, number>,
  target: Target,
): readonly LeftOfRole[] {
  const typeOf = new Map(roles.map(({ id, data }) => [id, String(data.type ?? data.name)]))
  const left = permissions.flatMap(({ id, data }): readonly LeftOfRole[] => {
    const role = typeOf.get(roleOf.get(id) ?? 0)
    const action = String(data.action)
    return role !== undefined && allowsNothing(action, target) ? [{ role, action }] : []
  })
  const byName = new Map(left.map((one) => [`${one.role} ${one.action}`, one]))
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}
