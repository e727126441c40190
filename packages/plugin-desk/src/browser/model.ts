/** The definitions of the content, as `GET /desk/api/model` has them, and the words for them. */

export interface AttributeDefinition {
  readonly type: string
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly private?: boolean
  readonly [option: string]: unknown
}

export type Attributes = Readonly<Record<string, AttributeDefinition>>

export interface ContentType {
  readonly uid: string
  readonly kind: 'collectionType' | 'singleType'
  readonly name: string
  readonly description?: string
  readonly route: string
  readonly singularName: string
  readonly pluralName: string
  readonly hasDrafts: boolean
  readonly isLocalized: boolean
  readonly attributes: Attributes
}

export interface Component {
  readonly uid: string
  readonly name: string
  readonly attributes: Attributes
}

export interface Locale {
  readonly code: string
  readonly name: string
  readonly isDefault: boolean
}

export interface Model {
  readonly types: readonly ContentType[]
  readonly components: readonly Component[]
  /** The default first. */
  readonly locales: readonly Locale[]
}

export const fileUid = 'plugin::upload.file'

/** `firstPublished` and `reading-list` in words: `First published`, `Reading list`. */
export function inWords(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_.]+/g, ' ')
    .trim()
  const lower = words.replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}

/** The name of a content-type above its list: `Reading lists`. */
export const titleOf = (type: ContentType): string =>
  type.kind === 'collectionType' && type.name.toLowerCase() === inWords(type.singularName).toLowerCase()
    ? inWords(type.pluralName)
    : type.name

/** A content-type within a sentence: `article`. */
export const nounOf = (type: ContentType): string => inWords(type.singularName).toLowerCase()

const usualNames = ['title', 'headline', 'name', 'label', 'heading', 'displayName', 'username', 'question']
const isText = (definition: AttributeDefinition | undefined): boolean =>
  definition?.type === 'string' && definition.private !== true

/** The attribute that names an entry or a part; `undefined` without a text. */
export const mainFieldOf = (attributes: Attributes): string | undefined =>
  usualNames.find((name) => isText(attributes[name])) ??
  Object.keys(attributes).find((name) => isText(attributes[name]) && attributes[name]?.readOnly !== true) ??
  Object.keys(attributes).find((name) =>
    ['text', 'email', 'uid', 'enumeration'].includes(attributes[name]?.type ?? ''),
  )

/** The first picture of an entry. */
export const pictureFieldOf = (attributes: Attributes): string | undefined =>
  Object.keys(attributes).find((name) => {
    const { type, multiple, allowedTypes } = attributes[name] ?? { type: '' }
    return (
      type === 'media' &&
      multiple !== true &&
      (!Array.isArray(allowedTypes) || allowedTypes.includes('images'))
    )
  })

/** Whether a relation leads to several entries. */
export const isToMany = ({ type, relation, multiple }: AttributeDefinition): boolean =>
  type === 'media' ? multiple === true : relation === 'oneToMany' || relation === 'manyToMany'

export const targetOf = ({ type, target }: AttributeDefinition): string | undefined =>
  type === 'media' ? fileUid : typeof target === 'string' ? target : undefined
