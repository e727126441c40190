/** The layouts of lists and forms, for the pages. */
import {
  type ContentType,
  type FieldLayout,
  inWords,
  isOfPrograms,
  type LaidOut,
  type Model,
} from './model.ts'

/** The way in which a form shows an attribute. */
export interface FieldLook extends FieldLayout {
  /** The classes of its place in the rows. */
  readonly place: string
}

const ofUid = (model: Model, uid: string): LaidOut | undefined =>
  model.types.find((one) => one.uid === uid) ?? model.components.find((one) => one.uid === uid)

/** A field that only programs write is one that cannot be changed. @param uid The uid of the content-type or component that has the attribute. */
export function lookOf(model: Model, uid: string, name: string): FieldLook {
  const layout = ofUid(model, uid)?.layout
  const row = layout?.form.find((places) => places.some((one) => one.name === name)) ?? []
  const size = row.find((one) => one.name === name)?.size ?? 12
  const start = row[0]?.name === name ? ' first' : ''
  const type = model.types.find((one) => one.uid === uid)
  const fixed = type && isOfPrograms(type, name) && { readOnly: true }
  return { label: inWords(name), ...layout?.fields[name], ...fixed, place: `w${size}${start}` }
}

/** The names that a form shows, in their order. */
export const shownIn = (model: Model, uid: string): readonly string[] =>
  (ofUid(model, uid)?.layout.form ?? []).flat().map(({ name }) => name)

/** The attribute that labels the entries of a relation; `undefined` without one. */
export function labelFieldOf(
  model: Model,
  owner: string,
  name: string,
  target: ContentType,
): string | undefined {
  const own = ofUid(model, owner)?.layout.fields[name]?.mainField
  return own !== undefined && target.attributes[own] ? own : mainFieldOf(target)
}

/** The attribute that names an entry or a part; `undefined` without one that the person may read. */
export const mainFieldOf = ({ attributes, layout }: LaidOut): string | undefined =>
  attributes[layout.mainField] ? layout.mainField : undefined

/** The heading of a column. */
export const columnLabel = ({ layout }: LaidOut, name: string): string | undefined =>
  layout.fields[name]?.column ?? layout.fields[name]?.label
