/** The definitions that a form is made of: content-types and components as in `schema.json`. */

/** An attribute as in `schema.json`: its type and the options of that type. */
export interface AttributeDefinition {
  readonly type: string
  readonly required?: boolean | undefined
  readonly default?: unknown
  readonly [option: string]: unknown
}

/** A content-type or a component. */
export interface FormSchema {
  readonly uid: string
  /** Whether its entries have languages. Default false. */
  readonly isLocalized?: boolean | undefined
  readonly attributes: Readonly<Record<string, AttributeDefinition>>
}

/** Whether all languages of an entry have one value for an attribute. Relations and `uid` attributes need a mark for that. */
export function isShared(
  { isLocalized = false }: Pick<FormSchema, 'isLocalized'>,
  attribute: AttributeDefinition | undefined,
): boolean {
  const options = attribute?.pluginOptions as { i18n?: { localized?: boolean } } | undefined
  const isOwn = attribute?.type === 'relation' || attribute?.type === 'uid'
  return isLocalized && (isOwn ? options?.i18n?.localized === false : options?.i18n?.localized !== true)
}

/** All content-types and components, by uid. {@link modelOf} makes it from `GET /desk/api/model`. */
export interface FormModel {
  readonly contentTypes: Readonly<Record<string, FormSchema>>
  readonly components: Readonly<Record<string, FormSchema>>
}

/** The model in the answer of `GET /desk/api/model`. */
export function modelOf<S extends FormSchema, C extends FormSchema>(answer: {
  readonly types: readonly S[]
  readonly components: readonly C[]
}): { readonly contentTypes: Readonly<Record<string, S>>; readonly components: Readonly<Record<string, C>> } {
  const byUid = <T extends FormSchema>(schemas: readonly T[]): Readonly<Record<string, T>> =>
    Object.fromEntries(schemas.map((schema) => [schema.uid, schema]))
  return { contentTypes: byUid(answer.types), components: byUid(answer.components) }
}

/**
 * How a form holds an attribute:
 * - `scalar`: one JSON value, also for `json`, `blocks` and types of plugins
 * - `relation`: linked entries or files, at most one without `many`
 * - `components`: a list of components; at most one without `many`. Zones have components of several uids.
 */
export type FieldShape =
  | { readonly kind: 'scalar' }
  | { readonly kind: 'relation'; readonly target: string; readonly many: boolean }
  | {
      readonly kind: 'components'
      readonly uids: readonly string[]
      readonly many: boolean
      readonly zone: boolean
    }

/** Attributes that only the server sets. */
const serverNames: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
  'createdBy',
  'updatedBy',
  'createdByCaller',
  'updatedByCaller',
])

const toMany: ReadonlySet<unknown> = new Set(['oneToMany', 'manyToMany'])
const toOne: ReadonlySet<unknown> = new Set(['oneToOne', 'manyToOne'])

export const fileUid = 'plugin::upload.file'

/** @returns `undefined` for attributes that a form cannot write: computed ones, polymorphic relations, those of the server. */
export function shapeOf(name: string, definition: AttributeDefinition): FieldShape | undefined {
  if (serverNames.has(name) || definition.readOnly === true || definition.computed !== undefined)
    return undefined
  switch (definition.type) {
    case 'relation': {
      const { relation, target } = definition
      if (typeof target !== 'string' || !(toMany.has(relation) || toOne.has(relation))) return undefined
      return { kind: 'relation', target, many: toMany.has(relation) }
    }
    case 'media':
      return { kind: 'relation', target: fileUid, many: definition.multiple === true }
    case 'component':
      return {
        kind: 'components',
        uids: [String(definition.component)],
        many: definition.repeatable === true,
        zone: false,
      }
    case 'dynamiczone':
      return {
        kind: 'components',
        uids: Array.isArray(definition.components) ? definition.components.map(String) : [],
        many: true,
        zone: true,
      }
    default:
      return { kind: 'scalar' }
  }
}

/** An attribute that a form can write. */
export interface Field {
  readonly name: string
  readonly definition: AttributeDefinition
  readonly shape: FieldShape
}

const fieldsOfSchema = new WeakMap<FormSchema, readonly Field[]>()

/** The attributes of a content-type or component that a form can write, in the order of the definition. */
export function fieldsOf(schema: FormSchema): readonly Field[] {
  const known = fieldsOfSchema.get(schema)
  if (known) return known
  const fields = Object.entries(schema.attributes).flatMap(([name, definition]): readonly Field[] => {
    const shape = shapeOf(name, definition)
    return shape ? [{ name, definition, shape }] : []
  })
  fieldsOfSchema.set(schema, fields)
  return fields
}

/** @throws Error for a uid that the model lacks */
export function schemaOf(model: FormModel, uid: string): FormSchema {
  const schema = model.contentTypes[uid] ?? model.components[uid]
  if (!schema) throw new Error(`There is no content-type and no component ${uid}.`)
  return schema
}

/** @throws Error for an attribute that the schema lacks or a form cannot write */
export function fieldOf(model: FormModel, uid: string, name: string): Field {
  const field = fieldsOf(schemaOf(model, uid)).find((one) => one.name === name)
  if (!field) throw new Error(`${uid} has no attribute ${name} that a form can write.`)
  return field
}
