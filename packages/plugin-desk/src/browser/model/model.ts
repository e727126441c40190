/** The definitions of the content, as `GET /desk/api/model` has them, and the words for them. */
import { isShared as isSharedBy } from '../../form/index.ts'

export interface AttributeDefinition {
  readonly type: string
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly private?: boolean
  readonly [option: string]: unknown
}

export type Attributes = Readonly<Record<string, AttributeDefinition>>

/** How an attribute is shown. */
export interface FieldLayout {
  readonly label: string
  /** A sentence below the field. */
  readonly description?: string
  readonly placeholder?: string
  /** Whether the form shows the value without a way to change it. */
  readonly readOnly?: boolean
  /** The label of the column. Default: `label`. */
  readonly column?: string
  /** Whether the column sorts the list. Default: what the type allows. */
  readonly sortable?: boolean
  /** The attribute that labels the entries of a relation. Default: the main field of their layout. */
  readonly mainField?: string
}

/** A layout, as `GET /desk/api/layouts` has them by uid. */
export interface Layout {
  /** The attribute that labels an entry or a part; `id` without one. */
  readonly mainField: string
  readonly list: {
    readonly columns: readonly string[]
    readonly pageSize: number
    /** `views:desc` */
    readonly sort: string
    readonly search: boolean
    readonly filters: boolean
    /** Whether entries are selected, to publish or delete several. */
    readonly select: boolean
  }
  /** Rows of fields with their widths in twelfths. Attributes in no row are not shown. */
  readonly form: readonly (readonly { readonly name: string; readonly size: number }[])[]
  readonly fields: Readonly<Record<string, FieldLayout>>
}

/** A content-type or component: attributes, and a layout for them. */
export interface LaidOut {
  readonly attributes: Attributes
  readonly layout: Layout
}

export interface ContentType extends LaidOut {
  readonly uid: string
  /** The attributes that the person may not read. */
  readonly unread?: Attributes
  readonly kind: 'collectionType' | 'singleType'
  readonly name: string
  readonly description?: string
  readonly route: string
  readonly singularName: string
  readonly pluralName: string
  readonly hasDrafts: boolean
  readonly isLocalized: boolean
}

export interface Component extends LaidOut {
  readonly uid: string
  readonly name: string
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

/** The answers of `model` and `layouts` in one. */
export function withLayouts(answer: Model, layouts: Readonly<Record<string, Layout>>): Model {
  const laidOut = <T extends { readonly uid: string }>(all: readonly T[]) =>
    all.flatMap((one) => {
      const layout = layouts[one.uid]
      return layout ? [{ ...one, layout }] : []
    })
  return { ...answer, types: laidOut(answer.types), components: laidOut(answer.components) }
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

/**
 * The name of a component among those that are shown with it: of several with one name each has its category, or else its own name, besides:
 * `Quote (Section)`.
 */
export function componentName({ components }: Model, uid: string, among: readonly string[]): string {
  const nameOf = (one: string) => components.find((component) => component.uid === one)?.name ?? inWords(one)
  const partsOf = (one: string) => one.split('.').map(inWords)
  const name = nameOf(uid)
  const alike = among.filter((one) => one !== uid && nameOf(one) === name)
  const [category = '', own = ''] = partsOf(uid)
  const besides = alike.some((one) => partsOf(one)[0] === category) ? own : category
  return alike.length === 0 || besides === name ? name : `${name} (${besides})`
}

/** The name of a content-type above its list: `Reading lists`. */
export const titleOf = (type: ContentType): string =>
  type.kind === 'collectionType' && type.name.toLowerCase() === inWords(type.singularName).toLowerCase()
    ? inWords(type.pluralName)
    : type.name

/** A content-type within a sentence: `article`. */
export const nounOf = (type: ContentType): string => inWords(type.singularName).toLowerCase()

/** The attributes by which a picture is shown. */
export const pictureFields = ['url', 'mime', 'formats'] as const

/** The first picture of an entry; `undefined` for a person who may not see files as well. */
export function pictureFieldOf({ types }: Model, attributes: Attributes): string | undefined {
  const file = types.find(({ uid }) => uid === fileUid)
  if (!file || !pictureFields.every((name) => file.attributes[name])) return undefined
  return Object.keys(attributes).find((name) => {
    const { type, multiple, allowedTypes } = attributes[name] ?? { type: '' }
    return (
      type === 'media' &&
      multiple !== true &&
      (!Array.isArray(allowedTypes) || allowedTypes.includes('images'))
    )
  })
}

/** Whether the server takes no value of a person: only programs write the attribute, or that around a path such as `seo.metaTitle`. */
export const isOfPrograms = ({ attributes }: Pick<ContentType, 'attributes'>, path: string): boolean =>
  attributes[path.split('.')[0] ?? '']?.writable === false

/** Whether a relation leads to several entries. */
export const isToMany = ({ type, relation, multiple }: AttributeDefinition): boolean =>
  type === 'media' ? multiple === true : relation === 'oneToMany' || relation === 'manyToMany'

export const targetOf = ({ type, target }: AttributeDefinition): string | undefined =>
  type === 'media' ? fileUid : typeof target === 'string' ? target : undefined

/** Whether all languages of an entry have one value for an attribute, also for one that the person may not read. */
export const isShared = (type: ContentType, name: string): boolean =>
  isSharedBy(type, type.attributes[name] ?? type.unread?.[name])
