/** The rights of the person, as `GET /desk/api/me` has them. */

import { firstLetters } from '../text/index.ts'
import type { ContentType, Model } from './model.ts'

export interface Alternative {
  readonly fields?: readonly string[]
  readonly locales?: readonly string[]
  /** A condition. */
  readonly where?: object
}

type ContentAction = 'create' | 'read' | 'update' | 'delete' | 'publish'

export interface Me {
  readonly person: {
    readonly id: number
    readonly firstname: string | null
    readonly lastname: string | null
    readonly username: string | null
    readonly email: string
    readonly language: string | null
    /** Whether signing in needs a code. */
    readonly secondFactor: boolean
  }
  readonly roles: readonly { readonly id: number; readonly name: string }[]
  readonly may: {
    /** Whether views that all see may be saved. */
    readonly layouts?: boolean
    /** Whether people may be invited and changed. */
    readonly people?: boolean
    /** Whether roles may be made and changed. */
    readonly roles?: boolean
    /** Whether API tokens may be made and ended. */
    readonly tokens?: boolean
    /** Whether webhooks may be made and changed. */
    readonly webhooks?: boolean
    /** Whether settings of the server, such as its locales, may be changed. */
    readonly settings?: boolean
    /** Whether everything may be done, now and with content-types to come. */
    readonly everything?: boolean
    readonly content: Readonly<Record<string, Partial<Record<ContentAction, readonly Alternative[]>>>>
  }
}

const alternatives = (
  me: Me,
  uid: string,
  action: ContentAction,
  locale: string | undefined,
): readonly Alternative[] =>
  (me.may.content[uid]?.[action] ?? []).filter(
    ({ locales }) => locales === undefined || locale === undefined || locales.includes(locale),
  )

/** Whether an action is allowed on some entries. */
export const may = (me: Me, uid: string, action: ContentAction, locale?: string): boolean =>
  alternatives(me, uid, action, locale).length > 0

/** Whether an action is allowed on all entries. */
export const mayAll = (me: Me, uid: string, action: ContentAction, locale?: string): boolean =>
  alternatives(me, uid, action, locale).some(({ where }) => where === undefined)

/** Whether a right to one of its fields reaches an attribute or a part of one. */
const rightBy =
  (reaches: (field: string, path: string) => boolean) =>
  (me: Me, uid: string, action: ContentAction, path: string, locale?: string): boolean =>
    alternatives(me, uid, action, locale).some(
      ({ fields }) => fields === undefined || fields.some((field) => reaches(field, path)),
    )

const isWithin = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`)

/** Whether an attribute, or a part of it, may be read or written. The path is like `seo.metaTitle`. */
export const mayField = rightBy((field, path) => isWithin(path, field) || isWithin(field, path))

/** Whether an attribute may be read or written with all that is in it. */
export const mayWhole = rightBy((field, path) => isWithin(path, field))

/** The languages of which a person may read entries of a type, in the order of the server. */
export const readableLocales = (
  { uid }: Pick<ContentType, 'uid'>,
  { me, model }: { readonly me: Me; readonly model: Model },
): Model['locales'] => model.locales.filter(({ code }) => may(me, uid, 'read', code))

/** The model with the attributes that the person may not read apart from the others: no page asks for them. */
export const readableModel = (model: Model, me: Me): Model => ({
  ...model,
  types: model.types.map((type) => {
    const attributes = Object.entries(type.attributes)
    const isRead = ([name, { readOnly }]: (typeof attributes)[number]): boolean =>
      readOnly === true || mayField(me, type.uid, 'read', name)
    return {
      ...type,
      attributes: Object.fromEntries(attributes.filter(isRead)),
      unread: Object.fromEntries(attributes.filter((one) => !isRead(one))),
    }
  }),
})

export function nameOf({ person }: Me): string {
  const name = [person.firstname, person.lastname].filter(Boolean).join(' ')
  return name || person.username || person.email
}

/** `Ann Author` as `AA`, and `ada@example.org` as `AD`. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean)
  const letters =
    words.length > 1 && !name.includes('@')
      ? words.slice(0, 2).map((word) => firstLetters(word, 1))
      : [firstLetters(name, 2)]
  return letters.join('').toUpperCase()
}
