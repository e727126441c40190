import type { Registry } from '@octavo/core/plugin'
import type { Session } from '../accounts/sessions.ts'
import { fileUid } from '../content-types.ts'
import { contentActions, generalActions } from '../rights/right.ts'

/**
 * A person with what it may do, for a page that shows only what works. `may` has, by content-type and action, a list of alternatives;
 * an action that is not there is refused.
 */
export function summaryOf({ editor, hasSecondFactor, roles, grants }: Session, registry: Registry) {
  const types = [...registry.contentTypes.values()].filter(
    ({ uid }) => uid.startsWith('api::') || uid === fileUid,
  )
  const may = types.flatMap((type) => {
    const actions = contentActions.flatMap((action) => {
      if (action === 'publish' && !type.attributes.has('publishedAt')) return []
      const rights = grants.of(type.uid, action)
      if (rights.length === 0) return []
      return [[action, rights.map(({ fields, locales, where }) => ({ fields, locales, where }))] as const]
    })
    return actions.length === 0 ? [] : [[type.uid, Object.fromEntries(actions)] as const]
  })
  const { id, firstname, lastname, username, email, language } = editor
  return {
    person: { id, firstname, lastname, username, email, language, secondFactor: hasSecondFactor },
    roles: roles.map((role) => ({ id: role.id, name: role.name })),
    may: {
      ...Object.fromEntries(generalActions.map((action) => [action, grants.allows(action)])),
      content: Object.fromEntries(may),
    },
  }
}
