import type { ContentType, Registry } from '@octavo/core/plugin'
import { argumentList, listArguments } from './model-types.ts'
import { findName, findOneName, typeName } from './names.ts'
import { hasDrafts, isLocalized } from './values.ts'

export const userUid = 'plugin::users-permissions.user'
const roleUid = 'plugin::users-permissions.role'
export const fileUid = 'plugin::upload.file'
const localeUid = 'plugin::i18n.locale'

/** A root field that reads or writes entries. */
export interface EntryField {
  readonly kind: 'find' | 'findOne' | 'single' | 'create' | 'update' | 'delete' | 'localize'
  readonly type: ContentType
  /** The permission that the caller needs. `undefined`: no caller can have it. */
  readonly action: string | undefined
  /** The action of the read or write, as hooks see it. */
  readonly as: string
}

/** Whether a root field reads, and belongs to queries. */
export const isRead = ({ kind }: EntryField): boolean =>
  kind === 'find' || kind === 'findOne' || kind === 'single'

/** A root field, with its text in SDL. */
export interface RootField {
  readonly of: 'Query' | 'Mutation'
  readonly name: string
  readonly text: string
  readonly field: EntryField
}

/** Permissions of the types of Octavo's plugins, whose routes have their own actions. */
const permissions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [userUid]: { find: `${userUid}.find`, findOne: `${userUid}.findOne` },
  [roleUid]: { find: `${roleUid}.find`, findOne: `${roleUid}.findOne` },
  [fileUid]: { find: 'plugin::upload.content-api.find', findOne: 'plugin::upload.content-api.findOne' },
  [localeUid]: {
    find: 'plugin::i18n.locales.listLocales',
    findOne: 'plugin::i18n.locales.listLocales',
  },
}

/** Names of actions for hooks, where they are not that of the root field. */
const named: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [localeUid]: { find: 'listLocales', findOne: 'listLocales' },
}

/** The root fields of all content-types, in the order of the registry. */
export const rootFields = (registry: Registry): readonly RootField[] =>
  [...registry.contentTypes.values()].flatMap(ofType)

function ofType(type: ContentType): readonly RootField[] {
  const isOwn = type.uid.startsWith('api::')
  // No role could have a permission for entries of other types.
  if (!isOwn && !permissions[type.uid]) return []
  const queries = queriesOf(type)
  if (type.uid === fileUid) return [...queries, ...mutationsOf(type)]
  return isOwn ? [...queries, ...mutationsOf(type), ...localization(type)] : queries
}

function entryField(type: ContentType, kind: EntryField['kind'], as: string): EntryField {
  const own = permissions[type.uid]
  const action = own ? own[as] : type.uid.startsWith('api::') ? `${type.uid}.${as}` : undefined
  return { kind, type, action, as: named[type.uid]?.[as] ?? as }
}

function queriesOf(type: ContentType): readonly RootField[] {
  const name = typeName(type)
  const state = hasDrafts(type) ? ['publicationState: PublicationState = LIVE'] : []
  const locale = localeOf(type)
  const one = findOneName(type)
  if (type.kind === 'singleType') {
    const text = `${one}${argumentList([...state, ...locale])}: ${name}EntityResponse`
    return [{ of: 'Query', name: one, text, field: entryField(type, 'single', 'find') }]
  }
  const list = findName(type)
  return [
    {
      of: 'Query',
      name: one,
      text: `${one}${argumentList(['id: ID', ...locale])}: ${name}EntityResponse`,
      field: entryField(type, 'findOne', 'findOne'),
    },
    {
      of: 'Query',
      name: list,
      text: `${list}${listArguments(name, [...state, ...locale])}: ${name}EntityResponseCollection`,
      field: entryField(type, 'find', 'find'),
    },
  ]
}

const localeOf = (type: ContentType): readonly string[] =>
  isLocalized(type) ? ['locale: I18NLocaleCode'] : []

function mutationsOf(type: ContentType): readonly RootField[] {
  const name = typeName(type)
  const isSingle = type.kind === 'singleType'
  const id = isSingle ? [] : ['id: ID!']
  const given: Readonly<Record<'create' | 'update' | 'delete', readonly string[]>> = {
    create: [`data: ${name}Input!`, ...localeOf(type)],
    update: [...id, `data: ${name}Input!`, ...localeOf(type)],
    delete: [...id, ...localeOf(type)],
  }
  const kinds = isSingle ? (['update', 'delete'] as const) : (['create', 'update', 'delete'] as const)
  return kinds.map((kind) => ({
    of: 'Mutation',
    name: `${kind}${name}`,
    text: `${kind}${name}${argumentList(given[kind])}: ${name}EntityResponse`,
    field: entryField(type, kind, kind),
  }))
}

function localization(type: ContentType): readonly RootField[] {
  if (!isLocalized(type)) return []
  const name = typeName(type)
  const mutation = `create${name}Localization`
  return [
    {
      of: 'Mutation',
      name: mutation,
      text: `${mutation}${argumentList(['id: ID', `data: ${name}Input`, 'locale: I18NLocaleCode'])}: ${name}EntityResponse`,
      field: entryField(type, 'localize', 'createLocalization'),
    },
  ]
}
