import { createHash } from 'node:crypto'
import type { Where } from '@octavo/core'

/**
 * A permission for one action. An object in code, or its name only, as in data files:
 *
 *     'api::article.article.find'
 *     { action: 'api::article.article.update', where: { author: { id: '$user.id' } }, fields: ['title', 'body'] }
 */
export interface Permission {
  readonly action: string
  /** Limits the action to entries that meet this condition. `'$user.id'` is the caller's id; anonymous callers match no entry. */
  readonly where?: Where
  /** Limits the action to these attributes and the id. Default: all. */
  readonly fields?: readonly string[]
}

/** The permissions of a caller. */
export interface Grants {
  /** Identifies the grants: equal keys mean equal grants. Part of the statement cache's key, and without spaces. */
  readonly key: string
  /** The permission for an action; `undefined` when there is none. */
  of(action: string): Permission | undefined
  /** The names of all granted actions; empty when they cannot be listed. */
  readonly actions: readonly string[]
}

export const everything: Grants = { key: '*', of: (action) => ({ action }), actions: [] }
export const nothing: Grants = { key: '-', of: () => undefined, actions: [] }

/** The reading actions, by their names. For read-only tokens. */
export const readOnlyGrants: Grants = {
  key: 'read-only',
  of: (action) => (/\.(find|findOne|count|listLocales)$/.test(action) ? { action } : undefined),
  actions: [],
}

/** The grants, with the permission for one action from others. */
export const withActionOf = (grants: Grants, action: string, others: Grants): Grants => ({
  key: `${grants.key}+${action}+${others.key}`,
  of: (name) => (name === action ? others : grants).of(name),
  actions: grants.actions,
})

/** @throws Error when one action is granted twice with different limits, since neither takes precedence. */
export function grantsOf(permissions: readonly Permission[]): Grants {
  const byAction = new Map<string, Permission>()
  for (const permission of permissions) {
    const known = byAction.get(permission.action)
    if (known && JSON.stringify(known) !== JSON.stringify(permission)) {
      throw new Error(
        `the permission ${permission.action} is given twice in one role with different limits; give it once, with $or in "where"`,
      )
    }
    byAction.set(permission.action, permission)
  }
  const actions = [...byAction.keys()].sort()
  const digest = createHash('sha256').update(JSON.stringify(actions.map((action) => byAction.get(action))))
  return { key: digest.digest('base64url'), of: (action) => byAction.get(action), actions }
}
