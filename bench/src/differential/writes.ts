/** Random writes, whose ids are of entries that are there. */
import fc from 'fast-check'
import { idsOf, relation, someOf, type Value } from './links.ts'
import { type Attribute, isToMany, linksOf, targetOf, uidOf, valuesOf } from './model.ts'
import { contentTypes } from './project.ts'
import { bodyValue } from './values.ts'

export interface Write {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly uid: string
  /** Of the entry in the path. */
  readonly id?: number
  /** A `PUT` without data sends back what each server answers for the entry. */
  readonly data?: Readonly<Record<string, unknown>>
  /** How it is sent, where not by the route of the entries: as a mutation of GraphQL, or as a localization, whose body has no `data`. */
  readonly way?: 'mutation' | 'localization'
}

/** The ids of the entries by content-type, and of the files. */
export type Ids = ReadonlyMap<string, readonly number[]>

/** How a body says which part of a zone it has, and which links. */
type Form = 'rest' | 'graphql'

const pascal = (name: string): string =>
  name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())

const partName = (uid: string, form: Form): object =>
  form === 'rest' ? { __component: uid } : { __typename: `Component${uid.split('.').map(pascal).join('')}` }

function linkValue(attribute: Attribute, ids: Ids, depth: number, form: Form): Value | undefined {
  if (attribute.type === 'relation') {
    const known = ids.get(targetOf(attribute))
    // The reference does not read a relation that the caller may not find; Octavo empties one of one entry.
    if (!known)
      return isToMany(attribute)
        ? fc.constantFrom<unknown>(...(form === 'rest' ? [[], {}] : [[]]))
        : undefined
    return form === 'rest' ? relation(attribute, known) : idsOf(attribute, known)
  }
  if (attribute.type === 'media') {
    const files = ids.get('file') ?? []
    if (form === 'graphql') return idsOf(attribute, files)
    return isToMany(attribute) ? someOf(files) : fc.constantFrom(null, ...files)
  }
  if (depth > 3) return undefined
  if (attribute.type === 'dynamiczone') {
    const part = fc
      .constantFrom(...(attribute.components as readonly string[]))
      .chain((uid) =>
        values(uid, ids, form, depth + 1).map((value) => ({ ...partName(uid, form), ...value })),
      )
    return fc.array(part, { maxLength: 3 })
  }
  if (attribute.type !== 'component') return undefined
  const part = values(targetOf(attribute), ids, form, depth + 1)
  return isToMany(attribute) ? fc.array(part, { maxLength: 2 }) : fc.option(part)
}

/** Of a type that only some attributes take. Strapi reads a list of one number as the number, and an object as no change of a relation. */
const wrong = fc.constantFrom<unknown>(
  'x',
  -5,
  null,
  true,
  1.5,
  '2020-13-45',
  99_999_999_999,
  'a'.repeat(300),
)

/** Some attributes, and all that are required: an update of Strapi takes a new component without them. */
function values(
  model: string,
  ids: Ids,
  form: Form,
  depth = 0,
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const parts: Record<string, Value> = {}
  const required: string[] = []
  for (const attribute of [...valuesOf(model), ...linksOf(model)]) {
    const { name } = attribute
    if (['id', 'createdAt', 'updatedAt', 'publishedAt'].includes(name)) continue
    const right = bodyValue(attribute) ?? linkValue(attribute, ids, depth, form)
    if (!right) continue
    const isHidden = attribute.type === 'relation' && !ids.has(targetOf(attribute))
    parts[name] = isHidden
      ? right
      : fc.oneof({ weight: 60, arbitrary: right }, { weight: 1, arbitrary: wrong })
    if (attribute.required === true) required.push(name)
  }
  return fc.record(parts, { requiredKeys: required })
}

/** Attributes that no two entries may share. */
const unique = new Set(['api::author.author name', 'api::product.product sku'])

/** A value that no entry has. @param count Another one for each call. */
export const makeUnique = (uid: string, data: object, count: number): object =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      unique.has(`${uid} ${name}`) ? `${name} ${count}` : value,
    ]),
  )

const isLocalized = ({ pluginOptions }: { readonly pluginOptions?: unknown }): boolean =>
  JSON.stringify(pluginOptions ?? {}).includes('"localized":true')

/** An entry in another locale, with some of the attributes that are its own. */
function localization(type: (typeof contentTypes)[number], ids: Ids, named: Ids): fc.Arbitrary<Write> {
  const uid = uidOf(type)
  const own = Object.entries(type.attributes).filter(([, attribute]) => isLocalized(attribute))
  const data = fc.tuple(
    values(uid, named, 'rest'),
    fc.constantFrom('fr', 'de', 'en', 'xx'),
    fc.infiniteStream(fc.boolean()),
  )
  return fc.tuple(fc.constantFrom(...(ids.get(uid) ?? [])), data).map(([id, [all, locale, kept]]) => ({
    method: 'POST',
    path: `/api/${type.info.pluralName}/${id}/localizations`,
    uid,
    data: {
      ...Object.fromEntries(
        own.flatMap(([name, { required }]) =>
          name in all && (required || kept.next().value) ? [[name, all[name]]] : [],
        ),
      ),
      locale,
      // Without it the reference refuses a draft that is not complete.
      publishedAt: null,
    },
    way: 'localization',
  }))
}

const query = '?populate=*&publicationState=preview'

/** The data of a new entry. */
export const newEntry = (
  uid: string,
  ids: Ids,
  form: Form = 'rest',
): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
  const hasDrafts = contentTypes.find((type) => uidOf(type) === uid)?.options?.draftAndPublish === true
  const publishedAt = fc.constantFrom(null, '2020-01-01T00:00:00.000Z')
  return fc
    .tuple(values(uid, ids, form), fc.option(publishedAt, { nil: undefined }))
    .map(([data, at]) => ({ ...data, ...(hasDrafts && at !== undefined && { publishedAt: at }) }))
}

/** The one entry of a single type in a locale, which the first of them makes. */
function single(type: (typeof contentTypes)[number], named: Ids): fc.Arbitrary<Write> {
  const uid = uidOf(type)
  const address = `/api/${type.info.singularName}`
  const locale = fc.constantFrom('', '&locale=fr', '&locale=de', '&locale=xx')
  const update = fc
    .tuple(locale, newEntry(uid, named), fc.infiniteStream(fc.boolean()))
    .map(([code, all, kept]): Write => {
      // The reference publishes a draft without required values.
      const isKept = (name: string) => kept.next().value === true || type.attributes[name]?.required === true
      const data = Object.fromEntries(Object.entries(all).filter(([name]) => isKept(name)))
      return { method: 'PUT', path: address + query + code, uid, data }
    })
  // Without it the reference finds no draft.
  const remove = locale.map(
    (code): Write => ({ method: 'DELETE', path: `${address}?publicationState=preview${code}`, uid }),
  )
  return fc.oneof({ weight: 4, arbitrary: update }, { weight: 1, arbitrary: remove })
}

/** @param named The entries and files that bodies name. */
export function write(ids: Ids, named: Ids = ids): fc.Arbitrary<Write> {
  return fc.constantFrom(...contentTypes).chain((type): fc.Arbitrary<Write> => {
    if (type.kind === 'singleType') return single(type, named)
    const uid = uidOf(type)
    const path = `/api/${type.info.pluralName}`
    const create = newEntry(uid, named).map(
      (data): Write => ({ method: 'POST', path: path + query, uid, data }),
    )
    const known = ids.get(uid) ?? []
    if (known.length < 4) return create
    const id = fc.constantFrom(...known)
    const update = fc
      .tuple(id, newEntry(uid, named), fc.infiniteStream(fc.boolean()))
      .map(([at, all, kept]): Write => {
        const data = Object.fromEntries(Object.entries(all).filter(() => kept.next().value))
        return { method: 'PUT', path: `${path}/${at}${query}`, uid, id: at, data }
      })
    const mutate = fc.tuple(fc.option(id, { nil: undefined }), newEntry(uid, named, 'graphql')).map(
      ([at, data]): Write => ({
        method: at === undefined ? 'POST' : 'PUT',
        path: `${path}${at === undefined ? '' : `/${at}`}${query}`,
        uid,
        data,
        way: 'mutation',
        ...(at !== undefined && { id: at }),
      }),
    )
    const remove = id.map((at): Write => ({ method: 'DELETE', path: `${path}/${at}${query}`, uid, id: at }))
    const sendBack = id.map((at): Write => ({ method: 'PUT', path: `${path}/${at}${query}`, uid, id: at }))
    const others = isLocalized(type) ? [{ weight: 20, arbitrary: localization(type, ids, named) }] : []
    return fc.oneof(
      ...others,
      { weight: 1, arbitrary: sendBack },
      { weight: 4, arbitrary: create },
      { weight: 10, arbitrary: update },
      { weight: 6, arbitrary: mutate },
      { weight: 1, arbitrary: remove },
    )
  })
}
