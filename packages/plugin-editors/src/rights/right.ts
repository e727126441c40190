/** Rights as they are stored in roles and sent by HTTP. */
import type { Where } from '@octavo/core'
import { managedRights } from '@octavo/server'

export const contentActions = ['create', 'read', 'update', 'delete', 'publish'] as const
export type RightAction = (typeof contentActions)[number]

/** Actions without a content-type. */
export const generalActions = ['people', 'roles', 'layouts', ...managedRights, 'everything'] as const

/** An action on the entries of a content-type, or on files. */
export interface ContentRight {
  readonly action: RightAction
  /** Uid: `api::article.article`, or `plugin::upload.file` for files. */
  readonly type: string
  /** Attributes; those of components by path: `seo.metaTitle`. The name of a component includes all of it. Default: all. */
  readonly fields?: readonly string[]
  /** Codes of locales. Default: all. */
  readonly locales?: readonly string[]
  /**
   * A condition with the grammar of `filters`. `'$editor.id'` is the id of the editor, `'$editor.roles'` the ids of its roles.
   *
   *     { createdBy: '$editor.id' }                  own entries
   *     { createdBy: { roles: '$editor.roles' } }    entries whose creator has a role of the editor
   */
  readonly where?: Where
}

/**
 * The right to manage people, roles, layouts and shared views, API tokens, webhooks, or settings of the server, or to do everything, now
 * and with content-types to come.
 */
export interface GeneralRight {
  readonly action: (typeof generalActions)[number]
}

export type Right = ContentRight | GeneralRight

export const isContentRight = (right: Right): right is ContentRight => 'type' in right

/** A right as text, for messages: `update api::article.article (title, fr)`. */
export function rightText(right: Right): string {
  if (!isContentRight(right)) return right.action
  const limits = [...(right.fields ?? []), ...(right.locales ?? []), ...(right.where ? ['where'] : [])]
  return `${right.action} ${right.type}${limits.length > 0 ? ` (${limits.join(', ')})` : ''}`
}

/** Whether one field of a right includes another: `seo` includes `seo.metaTitle`. */
export const includesField = (own: string, wanted: string): boolean =>
  own === wanted || wanted.startsWith(`${own}.`)

/** Whether the fields of a right have an attribute, with all that is in it. */
export const isWhole = (fields: ContentRight['fields'], path: string): boolean =>
  fields === undefined || fields.some((field) => includesField(field, path))

/** Whether a right reaches at least the entries of another one for the same action and content-type. */
export const reachesAll = (
  own: Pick<ContentRight, 'locales' | 'where'>,
  wanted: Pick<ContentRight, 'locales' | 'where'>,
): boolean =>
  (own.where === undefined || JSON.stringify(own.where) === JSON.stringify(wanted.where)) &&
  (own.locales === undefined || wanted.locales?.every((code) => own.locales?.includes(code)) === true)

/** Whether one right allows all that another one does. */
export function covers(own: Right, wanted: Right): boolean {
  if (own.action === 'everything') return true
  if (!isContentRight(own) || !isContentRight(wanted))
    return own.action === wanted.action && !isContentRight(wanted)
  if (own.action !== wanted.action || own.type !== wanted.type) return false
  const { fields } = own
  const hasFields =
    fields === undefined ||
    wanted.fields?.every((field) => fields.some((given) => includesField(given, field))) === true
  return hasFields && reachesAll(own, wanted)
}

/** The first of the wanted rights that no own one covers; `undefined` when all are covered. */
export const uncovered = (own: readonly Right[], wanted: readonly Right[]): Right | undefined =>
  wanted.find((right) => !own.some((given) => covers(given, right)))
