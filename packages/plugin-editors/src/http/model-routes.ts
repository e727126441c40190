/** The definitions of the content, for pages on which editors work. */
import type { Component, ContentType, Model, Registry } from '@octavo/core/plugin'
import type { Session } from '../accounts/sessions.ts'
import { creatorAttributes, fileUid } from '../content-types.ts'
import { contentActions } from '../rights/right.ts'
import type { Desk, SignedIn } from './desk.ts'
import { send } from './request.ts'

export function addModelRoutes(desk: Desk): void {
  desk.add('GET', '/model', model)
}

/**
 * `GET model`: the content-types on which the person has any right, in the order of their names, the components in them, and the locales. Attributes are as in their
 * definitions, custom fields with their base type; attributes that cannot be written have `"readOnly": true`.
 */
async function model({ context, service, session }: SignedIn): Promise<void> {
  const { registry, store } = service.octavo
  const types = typesOf(session, registry)
  send(context, {
    types: types.map(typeOf),
    components: componentsOf(types, registry).map(componentOf),
    locales: await localesOf(registry, store),
  })
}

const { compare } = new Intl.Collator('en')

/** The content-types on which a person has any right, and files, in the order of their names. */
export const typesOf = ({ grants }: Session, registry: Registry): readonly ContentType[] =>
  [...registry.contentTypes.values()]
    .filter(
      ({ uid }) =>
        (uid.startsWith('api::') || uid === fileUid) &&
        contentActions.some((action) => grants.of(uid, action).length > 0),
    )
    .toSorted((one, other) => compare(one.displayName, other.displayName))

const typeOf = (type: ContentType) => ({
  uid: type.uid,
  kind: type.kind,
  name: type.displayName,
  description: type.definition.info.description,
  route: type.kind === 'singleType' ? type.singularName : type.pluralName,
  singularName: type.singularName,
  pluralName: type.pluralName,
  hasDrafts: type.attributes.has('publishedAt'),
  isLocalized: type.attributes.has('locale') && type.attributes.has('localizations'),
  attributes: attributesOf(type),
})

const componentOf = (component: Component) => ({
  uid: component.uid,
  name: component.definition.info?.displayName ?? component.name,
  category: component.category,
  attributes: attributesOf(component),
})

const ofServer: readonly string[] = [
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
  ...creatorAttributes,
]

const attributesOf = (owner: Model) =>
  Object.fromEntries(
    [...owner.attributes.values()].map((attribute) => [
      attribute.name,
      {
        ...attribute.definition,
        ...((attribute.kind === 'computed' || attribute.kind === 'scalar') && { type: attribute.type.name }),
        // Only the server knows whether a program will set it.
        ...(owner.kind !== 'component' && attribute.definition.writable === false && { required: false }),
        ...((attribute.kind === 'computed' || ofServer.includes(attribute.name)) && { readOnly: true }),
      },
    ]),
  )

/** The components that content-types have, directly or in others. */
function componentsOf(types: readonly ContentType[], registry: Registry): readonly Component[] {
  const found = new Set<string>()
  const add = (owner: Model): void => {
    for (const attribute of owner.attributes.values()) {
      const uids =
        attribute.kind === 'component'
          ? [attribute.component]
          : attribute.kind === 'zone'
            ? attribute.components
            : []
      for (const uid of uids.filter((uid) => !found.has(uid))) {
        found.add(uid)
        add(registry.component(uid))
      }
    }
  }
  types.forEach(add)
  return [...found].map((uid) => registry.component(uid))
}

const localeUid = 'plugin::i18n.locale'

interface LocaleRow {
  readonly id: number
  readonly code: string
  readonly name: string | null
  readonly isDefault: boolean | null
}

/** The default locale first; empty without locales. */
async function localesOf(registry: Registry, store: SignedIn['service']['octavo']['store']) {
  const type = registry.contentTypes.get(localeUid)
  if (!type) return []
  const rows = await store
    .rows<LocaleRow>(type)
    .find({ select: ['code', 'name', 'isDefault'], orderBy: { id: 'asc' } })
  return rows
    .map(({ code, name, isDefault }) => ({ code, name: name ?? code, isDefault: isDefault === true }))
    .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault))
}
