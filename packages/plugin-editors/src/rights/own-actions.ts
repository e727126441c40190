import type { Registry } from '@octavo/core/plugin'
import { fileUid } from '../content-types.ts'
import { neededRight } from './authorize.ts'
import type { Right } from './right.ts'

/** The list of locales, which every editor sees. */
const localesAction = 'plugin::i18n.locales.listLocales'

/**
 * The rights that are needed to give an action to others: to a token, or to the receiver of a webhook. They must be without limits, since
 * the token or receiver has none of the limits of the person who gives the action. An action that is not for content needs all rights.
 *
 * @param name As in permissions: `api::article.article.find`.
 */
export function rightsToGive(name: string, registry: Registry): readonly Right[] {
  if (name === localesAction) return []
  const { uid, action } = neededRight(name)
  const type = uid.startsWith('api::') || uid === fileUid ? registry.contentTypes.get(uid) : undefined
  if (!type || action === undefined) return [{ action: 'everything' }]
  // Below `/api` a new entry is published, and a body may say so for others.
  const publishes = type.attributes.has('publishedAt') && (action === 'create' || action === 'update')
  return [{ action, type: uid }, ...(publishes ? [{ action: 'publish', type: uid } as const] : [])]
}
