/** Layouts: how pages show the entries of a content-type and the components in them. */
import type { Attribute, Component, ContentType, Model, Registry } from '@octavo/core/plugin'
import { creatorAttributes } from '../content-types.ts'

/** How an attribute is shown. */
export interface FieldLayout {
  /** The label in a form. */
  readonly label: string
  /** A sentence below the field. Absent for none. */
  readonly description?: string
  readonly placeholder?: string
  /** Whether the form shows the value without a way to change it. Default false. */
  readonly readOnly?: boolean
  /** The label of the column. Default: `label`. */
  readonly column?: string
  /** Whether the column sorts the list. Default: what the type allows. */
  readonly sortable?: boolean
  /** The attribute that labels the entries of a relation. Default: the main field of their layout. */
  readonly mainField?: string
}

/** A field in a row of a form. */
export interface FieldPlace {
  readonly name: string
  /** Twelfths of the width, 1 to 12. */
  readonly size: number
}

export interface Layout {
  /** The attribute that labels an entry or component; `id` without one. */
  readonly mainField: string
  readonly list: {
    readonly columns: readonly string[]
    /** Entries of a page, 1 to 100. */
    readonly pageSize: number
    /** As the parameter `sort`: `views:desc`. */
    readonly sort: string
    readonly search: boolean
    readonly filters: boolean
    /** Whether entries are selected, to publish or delete several. */
    readonly select: boolean
  }
  /** Rows of the form. Attributes that are in no row are not shown. */
  readonly form: readonly (readonly FieldPlace[])[]
  readonly fields: Readonly<Record<string, FieldLayout>>
}

export type LaidOut = ContentType | Component

/** Attributes that no form shows. */
const ofServer: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
  ...creatorAttributes,
])

/** The attributes of a form, in the order of the definition. */
export const formNames = (model: Model): readonly string[] =>
  [...model.attributes.values()].flatMap(({ name, kind }) =>
    ofServer.has(name) || kind === 'computed' ? [] : [name],
  )

/** Names that may be columns: every attribute but passwords, and `id`. */
export const columnNames = (model: Model): ReadonlySet<string> =>
  new Set(['id', ...[...model.attributes.values()].flatMap((one) => (isSecret(one) ? [] : [one.name]))])

const isSecret = (attribute: Attribute): boolean => attribute.kind === 'scalar' && attribute.type.secret

const likelyLabels = ['title', 'name', 'headline', 'label', 'subject', 'slug']
const labelTypes: ReadonlySet<string> = new Set(['string', 'uid', 'email', 'enumeration'])

/** The attribute that labels an entry: a likely name, else the first short text, else `id`. */
export function likelyMainField(model: Model): string {
  const texts = [...model.attributes.values()].flatMap((attribute) =>
    labelTypes.has(typeOf(attribute)) && !ofServer.has(attribute.name) ? [attribute.name] : [],
  )
  return likelyLabels.find((name) => texts.includes(name)) ?? texts[0] ?? 'id'
}

const wholeWidth: ReadonlySet<string> = new Set([
  'richtext',
  'blocks',
  'json',
  'text',
  'component',
  'dynamiczone',
])
const narrow: ReadonlySet<string> = new Set([
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
])

/** The type of an attribute; of a custom field its base type. */
const typeOf = (attribute: Attribute): string =>
  attribute.kind === 'scalar' ? attribute.type.name : attribute.definition.type

export function usualSize(attribute: Attribute): number {
  const type = typeOf(attribute)
  return wholeWidth.has(type) ? 12 : narrow.has(type) ? 4 : 6
}

/** Fields side by side while they fit. */
export function inRows(places: readonly FieldPlace[]): readonly (readonly FieldPlace[])[] {
  const rows: FieldPlace[][] = []
  let left = 0
  for (const place of places) {
    const row = rows.at(-1)
    if (row && place.size <= left) row.push(place)
    else rows.push([place])
    left = (row && place.size <= left ? left : 12) - place.size
  }
  return rows
}

/** Types that a column sorts and a list shows in one line. */
const short: ReadonlySet<string> = new Set([
  'string',
  'email',
  'uid',
  'enumeration',
  'boolean',
  'date',
  'time',
  'datetime',
  ...narrow,
])

/** `firstName` as a label: `First name`. */
export function labelOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const text = words.replaceAll(/\p{Lu}\p{Ll}/gu, (start) => start.toLowerCase()).trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The layout of a model without a stored layout. */
export function usualLayout(model: LaidOut): Layout {
  const mainField = likelyMainField(model)
  const attributes = formNames(model).flatMap((name) => model.attributes.get(name) ?? [])
  const further = attributes.filter(
    (attribute) =>
      attribute.kind === 'scalar' && attribute.name !== mainField && short.has(typeOf(attribute)),
  )
  const updated = model.attributes.has('updatedAt') ? ['updatedAt'] : []
  return {
    mainField,
    list: {
      columns: [mainField, ...further.slice(0, 3).map(({ name }) => name), ...updated],
      pageSize: 25,
      sort: updated.length > 0 ? 'updatedAt:desc' : `${mainField}:asc`,
      search: true,
      filters: true,
      select: true,
    },
    form: inRows(attributes.map((attribute) => ({ name: attribute.name, size: usualSize(attribute) }))),
    fields: Object.fromEntries(attributes.map(({ name }) => [name, { label: labelOf(name) }])),
  }
}

/**
 * A stored layout for the present definition: attributes that are gone are left out, and new ones come last, as no person has decided to
 * hide them.
 *
 * @param known The attributes of the definition when the layout was stored.
 */
export function fitted(model: LaidOut, stored: Layout, known: readonly string[]): Layout {
  const usual = usualLayout(model)
  const columns = columnNames(model)
  const names = new Set(formNames(model))
  const rows = stored.form
    .map((row) => row.filter(({ name }) => names.has(name)))
    .filter((row) => row.length > 0)
  const added = usual.form.flat().filter(({ name }) => !known.includes(name))
  const kept = stored.list.columns.filter((name) => columns.has(name))
  const [sorted = ''] = stored.list.sort.split(':')
  const fields = Object.entries({ ...usual.fields, ...stored.fields }).filter(
    ([name]) => name === 'id' || model.attributes.has(name),
  )
  return {
    mainField: columns.has(stored.mainField) ? stored.mainField : usual.mainField,
    list: {
      ...stored.list,
      columns: kept.length > 0 ? kept : usual.list.columns,
      sort: columns.has(sorted) ? stored.list.sort : usual.list.sort,
    },
    form: [...rows, ...inRows(added)],
    fields: Object.fromEntries(fields),
  }
}

/** A content-type or component by its uid. */
export const laidOut = (registry: Registry, uid: string): LaidOut | undefined =>
  registry.contentTypes.get(uid) ?? registry.components.get(uid)
