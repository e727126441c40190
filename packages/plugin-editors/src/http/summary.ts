import { managedRights } from '@octavo/server'
import type { Session } from '../accounts/sessions.ts'
import { fileUid } from '../content-types.ts'
import { contentActions, type GeneralRight, generalActions } from '../rights/right.ts'
import type { Service } from '../service.ts'

/**
 * A person with what it may do, for a page that shows only what works. `may` has, by content-type and action, a list of alternatives;
 * an action that is not there is refused. A right that nothing here needs, such as `webhooks` without that plugin, is false.
 */
export function summaryOf(
  { editor, hasSecondFactor, roles, grants }: Session,
  { octavo: { registry }, managed }: Pick<Service, 'octavo' | 'managed'>,
) {
  const isUseful = (action: GeneralRight['action']): boolean =>
    !managedRights.some((right) => right === action) || managed.some(({ right }) => right === action)
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
      ...Object.fromEntries(
        generalActions.map((action) => [action, isUseful(action) && grants.allows(action)]),
      ),
      content: Object.fromEntries(may),
    },
  }
}
