/** The value of a form: an entry as data, without subscriptions. Bodies, merges and drafts are made of it. */
import { type Field, type FormModel, fieldsOf, schemaOf } from './model.ts'

/** An entry or a file that a relation leads to. */
export interface Linked {
  readonly id: number
  /** The attributes that were loaded, for its label. Not compared. */
  readonly attributes?: Readonly<Record<string, unknown>>
}

export interface ScalarValue {
  readonly kind: 'scalar'
  /** `undefined`: not known, because the server never sends it, as for a password; such a value is not sent either. */
  readonly value: unknown
  /** The text of the input while it is not a valid value, such as incomplete JSON. The entry is not saved with it. */
  readonly unfinished?: string | undefined
}

export type FieldValue =
  | ScalarValue
  | { readonly kind: 'relation'; readonly items: readonly Linked[] }
  | { readonly kind: 'components'; readonly items: readonly ComponentValue[] }

export type Fields = Readonly<Record<string, FieldValue>>

/** An entry or a component: the fields that the editor may read. */
export interface GroupValue {
  readonly uid: string
  /** The id in the database; `undefined` for a new one. */
  readonly id: number | undefined
  readonly fields: Fields
}

export interface ComponentValue extends GroupValue {
  /** The name of the component within its list, which does not change: `page.text:12` for a loaded one, `+…` for a new one. */
  readonly key: string
}

type Attributes = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads an entry as answers have it, `{ id, attributes }`. Fields that the answer lacks are no part of the form, because the editor may
 * not read them; passwords, which no answer has, are.
 */
export function readEntry(
  model: FormModel,
  uid: string,
  entry: { readonly id: number; readonly attributes: Attributes },
): GroupValue {
  return { uid, id: entry.id, fields: readFields(model, uid, entry.attributes) }
}

function readFields(model: FormModel, uid: string, attributes: Attributes): Fields {
  const fields: Record<string, FieldValue> = {}
  for (const field of fieldsOf(schemaOf(model, uid))) {
    const { name, definition } = field
    if (Object.hasOwn(attributes, name)) fields[name] = readField(model, field, attributes[name])
    else if (definition.type === 'password') fields[name] = { kind: 'scalar', value: undefined }
  }
  return fields
}

function readField(model: FormModel, { shape }: Field, value: unknown): FieldValue {
  switch (shape.kind) {
    case 'scalar':
      return { kind: 'scalar', value: value ?? null }
    case 'relation':
      return { kind: 'relation', items: asList(isObject(value) ? value.data : value).flatMap(readLinked) }
    case 'components': {
      const items = asList(value).flatMap((item): readonly ComponentValue[] => {
        if (!isObject(item)) return []
        const uid = shape.zone ? String(item.__component) : (shape.uids[0] ?? '')
        const id = Number(item.id)
        return [{ uid, id, key: `${uid}:${id}`, fields: readFields(model, uid, item) }]
      })
      return { kind: 'components', items }
    }
  }
}

const asList = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

function readLinked(item: unknown): readonly Linked[] {
  if (!isObject(item)) return []
  const attributes = isObject(item.attributes) ? item.attributes : undefined
  return [{ id: Number(item.id), ...(attributes && { attributes }) }]
}

/** An empty entry or component, with the defaults of its definition. */
export function emptyGroup(model: FormModel, uid: string): GroupValue {
  const fields: Record<string, FieldValue> = {}
  for (const { name, definition, shape } of fieldsOf(schemaOf(model, uid)))
    fields[name] = shape.kind === 'scalar' ? emptyScalar(definition) : { kind: shape.kind, items: [] }
  return { uid, id: undefined, fields }
}

const emptyScalar = (definition: Field['definition']): FieldValue => ({
  kind: 'scalar',
  value: definition.type === 'password' ? undefined : (definition.default ?? null),
})

/**
 * A copy of a component for another place: without ids and passwords, and with new keys at every depth. It has each field of the model,
 * also one that the person who copied it could not read, or that the model did not have then.
 */
export function copyOf(model: FormModel, component: GroupValue, newKey: () => string): ComponentValue {
  const empty = emptyGroup(model, component.uid).fields
  const fields: Record<string, FieldValue> = {}
  for (const { name, definition, shape } of fieldsOf(schemaOf(model, component.uid))) {
    const [value, none] = [component.fields[name], empty[name]]
    if (none === undefined) continue
    if (value?.kind !== none.kind || definition.type === 'password') fields[name] = none
    else if (value.kind !== 'components' || shape.kind !== 'components') fields[name] = value
    else {
      const items = value.items.filter(({ uid }) => shape.uids.includes(uid))
      fields[name] = { ...value, items: items.map((item) => copyOf(model, item, newKey)) }
    }
  }
  return { uid: component.uid, id: undefined, key: newKey(), fields }
}

/** The components of a field; none of another one. */
export const itemsOf = (field: FieldValue | undefined): readonly ComponentValue[] =>
  field?.kind === 'components' ? field.items : []

/** The identity of a component when lists are compared: its uid and id, or its key while it has no id. */
export const identityOf = ({ uid, id, key }: ComponentValue): string =>
  id === undefined ? key : `${uid}:${id}`
