/** The attributes that requests can name: those of the recorded models, and those that both servers add. */
import type { AttributeDefinition } from '@octavo/core'
import { components, contentTypes } from './project.ts'

export type Attribute = AttributeDefinition & { readonly name: string }

const added = {
  id: { type: 'integer' },
  createdAt: { type: 'datetime' },
  updatedAt: { type: 'datetime' },
} as const
const file = {
  name: { type: 'string' },
  alternativeText: { type: 'string' },
  mime: { type: 'string' },
  size: { type: 'decimal' },
} as const

export const uidOf = ({ info }: (typeof contentTypes)[number]): string =>
  `api::${info.singularName}.${info.singularName}`

const user = {
  username: { type: 'string' },
  email: { type: 'email' },
  provider: { type: 'string' },
  confirmed: { type: 'boolean' },
  blocked: { type: 'boolean' },
  role: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.role' },
} as const
const role = {
  name: { type: 'string' },
  description: { type: 'string' },
  type: { type: 'string' },
} as const

const models = new Map<string, readonly Attribute[]>([
  ['file', named(file)],
  ['plugin::users-permissions.user', named({ ...user, ...added })],
  ['plugin::users-permissions.role', named({ ...role, ...added })],
])
for (const { uid = '', attributes } of components) models.set(uid, named(attributes))
for (const type of contentTypes) {
  const publication = type.options?.draftAndPublish ? { publishedAt: { type: 'datetime' } } : {}
  models.set(uidOf(type), named({ ...type.attributes, ...added, ...publication }))
}

function named(attributes: Readonly<Record<string, AttributeDefinition>>): readonly Attribute[] {
  return Object.entries(attributes).map(([name, definition]) => ({ ...definition, name }))
}

const attributesOf = (model: string): readonly Attribute[] => models.get(model) ?? []

const linkTypes = new Set(['relation', 'media', 'component', 'dynamiczone'])

/** Attributes with a value that everybody may read. */
export const valuesOf = (model: string): readonly Attribute[] =>
  attributesOf(model).filter(
    ({ type, private: isPrivate }) => !linkTypes.has(type) && type !== 'password' && isPrivate !== true,
  )

/** Relations, media, components and zones. */
export const linksOf = (model: string): readonly Attribute[] =>
  attributesOf(model).filter(({ type }) => linkTypes.has(type))

export const isMedia = (model: string, attribute: string): boolean =>
  linksOf(model).some(({ name, type }) => name === attribute && type === 'media')

/** The model that a link leads to; a zone has several. */
export const targetOf = ({ type, target, component }: Attribute): string =>
  type === 'media' ? 'file' : String(target ?? component)

export const isToMany = ({ relation, repeatable, multiple }: Attribute): boolean =>
  /ToMany$/.test(String(relation)) || repeatable === true || multiple === true
