import { createHash } from 'node:crypto'

/**
 * Who may do one action, and with what. Written in code, or by its name alone as in a data file:
 *
 *     'api::article.article.find'
 *     { action: 'api::article.article.update', where: { author: { id: '$user.id' } }, fields: ['title', 'body'] }
 */
export interface Permission {
  readonly action: string
  /** Only entries that meet this; `'$user.id'` is the caller's id, and meets nothing when nobody is logged in. */
  readonly where?: Where
  /** Only these attributes, and the id. Default: all. */
  readonly fields?: readonly string[]
}

/** A condition with the grammar of `filters`: attributes (relations nest), operators such as `$eq` and `$in`, `$and`, `$or`, `$not`. */
export interface Where {
  readonly [name: string]: Where | readonly Where[] | WhereValue | readonly WhereValue[]
}
export type WhereValue = string | number | boolean | null

/** What somebody may do. */
export interface Grants {
  /** Two that have the same key grant the same; it stands in the statement cache's key. */
  readonly key: string
  /** The permission for an action; `undefined` when there is none. */
  of(action: string): Permission | undefined
  /** The names of all actions, when they can be listed. */
  readonly actions: readonly string[]
}

export const everything: Grants = { key: '*', of: (action) => ({ action }), actions: [] }
export const nothing: Grants = { key: '-', of: () => undefined, actions: [] }

/** Only looks: every action whose name says so. For read-only tokens. */
export const lookingOnly: Grants = {
  key: 'read-only',
  of: (action) => (/\.(find|findOne|count|listLocales)$/.test(action) ? { action } : undefined),
  actions: [],
}

/** @throws Error when one action is granted twice and not alike: which of the two holds for an entry could not be told. */
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
