import { createHash } from 'node:crypto'
import type { Where } from '@octavo/core'
import {
  type ContentRight,
  type GeneralRight,
  includesField,
  isContentRight,
  isWhole,
  type Right,
  type RightAction,
  reachesAll,
} from './right.ts'

export const ownIdName = '$editor.id'
const ownRolesName = '$editor.roles'

/** The rights of an editor: those of all roles. */
export interface Grants {
  /** Equal keys mean equal rights. Part of the statement cache's key. */
  readonly key: string
  /** As stored. */
  readonly rights: readonly Right[]
  /** The rights to an action on a content-type; empty without any. */
  of(type: string, action: RightAction): readonly ContentRight[]
  allows(action: GeneralRight['action']): boolean
}

export function grantsOf(
  roles: readonly { readonly id: number; readonly rights: readonly Right[] }[],
): Grants {
  const ids = roles.map(({ id }) => id).sort((a, b) => a - b)
  const rights = roles.flatMap((role) => role.rights)
  const isAll = rights.some(({ action }) => action === 'everything')
  const content = rights.filter(isContentRight).map((right) => withRoles(right, ids))
  const key = createHash('sha256')
    .update(JSON.stringify([isAll, content]))
    .digest('base64url')
  const byTypeAndAction = Map.groupBy(content, ({ type, action }) => `${type} ${action}`)
  return {
    key,
    rights,
    of: (type, action) => (isAll ? [{ type, action }] : (byTypeAndAction.get(`${type} ${action}`) ?? [])),
    allows: (action) => isAll || rights.some((right) => right.action === action),
  }
}

/** Replaces `$editor.roles` by the ids of the roles. */
function withRoles(right: ContentRight, ids: readonly number[]): ContentRight {
  if (right.where === undefined) return right
  return { ...right, where: replaced(right.where, ids) as Where }
}

function replaced(value: unknown, ids: readonly number[]): unknown {
  if (value === ownRolesName) return { id: { $in: ids } }
  if (Array.isArray(value)) return value.map((item) => replaced(item, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, replaced(child, ids)]))
}

/** Whether an attribute, or a part of it, is open: `seo` for the field `seo.metaTitle`. */
const leadsTo = (fields: readonly string[] | undefined, path: string): boolean =>
  fields === undefined || fields.some((field) => includesField(field, path) || field.startsWith(`${path}.`))

/**
 * Whether some rights to one action open an attribute for each entry that they reach: each right either names it, or reaches no entry
 * that another right with the attribute does not reach. Rights of several roles thus never add up to more than each of them.
 *
 * @param path Of components: `seo.metaTitle`.
 * @param part Whether a part of the attribute is enough.
 */
export function opens(rights: readonly ContentRight[], path: string, part: boolean): boolean {
  const isOpen = part ? leadsTo : isWhole
  const open = rights.filter(({ fields }) => isOpen(fields, path))
  return open.length > 0 && rights.every((right) => open.some((other) => reachesAll(other, right)))
}
