/** A random selection over random content equals what REST answers for the same relations, whole and in the order of ids. */
import { unrestricted } from '@octavo/core'
import { isValue } from '@octavo/core/internal'
import type { Attribute, ContentType, Model, Registry } from '@octavo/core/plugin'
import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findName, typeName } from '../src/schema/names.ts'
import { attributesOf, hasDrafts, isRequired, isShown } from '../src/schema/values.ts'
import { ask, type Loose, login, type RecordedServer, recordedServer } from './recorded.ts'

/** A role whose rights have conditions, which hide entries below relations, and lists of fields. */
const limited = {
  'article.find': { where: { views: { $gt: 200 } } },
  'author.find': { where: { $or: [{ active: true }, { articles: { featured: true } }] } },
  'category.find': { where: { id: { $ne: 3 } } },
  'product.find': {},
  'profile.find': { where: { id: { $lt: 5 } } },
  'tag.find': { fields: ['name'], where: { id: { $gt: 1 } } },
  'restaurant.find': { where: { owner: { id: { $gt: 2 } } } },
}
const permissions = Object.entries(limited).map(([name, rest]) => ({
  action: `api::${name.split('.')[0]}.${name}`,
  ...rest,
}))

let running: RecordedServer
/** Of the public, of a user, and of one whose rights have conditions. */
let tokens: readonly (string | undefined)[]
let types: readonly ContentType[]
beforeAll(async () => {
  running = await recordedServer({ depthLimit: 30 }, [], { permissions: { limited: permissions } })
  const { octavo } = running.server
  types = ['article', 'author', 'category', 'product', 'restaurant', 'tag'].map((name) =>
    octavo.registry.contentType(`api::${name}.${name}`),
  )
  const state = unrestricted('the test makes content')
  const [role] = (await octavo.entries('role', state).find({ filters: { type: 'limited' } })).data
  await octavo.entries('user', state).create({
    username: 'limited',
    email: 'limited@example.org',
    password: 'Password123',
    provider: 'local',
    confirmed: true,
    role: role?.id,
  })
  tokens = [undefined, await login(running.url), await login(running.url, 'limited')]
  for (const change of fc.sample(changeOf(types), { numRuns: runs(60, 600), seed: 31 }))
    await octavo.entries(change.type.uid, state).update(change.id, change.data)
})
afterAll(() => running.close())

/** Random values and links of an entry that is there. */
const changeOf = (
  all: readonly ContentType[],
): fc.Arbitrary<{
  readonly type: ContentType
  readonly id: number
  readonly data: Record<string, unknown>
}> =>
  fc.constantFrom(...all).chain((type) => {
    const values = attributesOf(type).flatMap((attribute): [string, fc.Arbitrary<unknown>][] => {
      const made = randomOf(attribute)
      return made ? [[attribute.name, made]] : []
    })
    return fc.record({
      type: fc.constant(type),
      id: fc.integer({ min: 1, max: 5 }),
      data: fc.record(Object.fromEntries(values), { requiredKeys: [] }),
    })
  })

const someId = fc.integer({ min: 1, max: 5 })

function randomOf(attribute: Attribute): fc.Arbitrary<unknown> | undefined {
  if (attribute.kind === 'relation') {
    // Files and users are not among the types.
    if (!attribute.target.startsWith('api::')) return undefined
    return attribute.many ? fc.uniqueArray(someId, { maxLength: 4 }) : fc.option(someId)
  }
  if (!isValue(attribute) || attribute.name === 'locale') return undefined
  const { type } = attribute.definition
  if (type === 'integer') return fc.option(fc.integer({ min: 0, max: 500 }))
  if (type === 'boolean') return fc.option(fc.boolean())
  if (type === 'text' || type === 'richtext') return fc.option(fc.string({ unit: 'grapheme', maxLength: 12 }))
  if (type === 'json') return fc.option(fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null))
  return undefined
}

/** The selection of an entry or a component. */
interface Node {
  readonly model: Model
  readonly fields: readonly string[]
  readonly children: readonly Child[]
}

interface Child {
  readonly alias: string
  readonly attribute: Attribute
  /** Of a list. */
  readonly page: { readonly start: number; readonly limit: number; readonly descending: boolean } | undefined
  /** One, or that of each component of a zone. */
  readonly nodes: readonly Node[]
}

type Pick = <T>(items: readonly T[]) => T
interface Choices {
  readonly pick: Pick
  readonly some: <T>(items: readonly T[], most: number) => readonly T[]
  readonly registry: Registry
}

const isList = (attribute: Attribute): boolean =>
  (attribute.kind === 'relation' && attribute.many) ||
  (attribute.kind === 'component' && attribute.repeatable)

/** Times have another form in GraphQL, and hashes have none. */
const isCompared = (attribute: Attribute): boolean =>
  isValue(attribute) && !attribute.private && attribute.definition.type !== 'time'

function nodeOf(model: Model, depth: number, choices: Choices): Node {
  const { some, pick, registry } = choices
  const all = attributesOf(model).filter(isShown)
  const open = depth === 0 ? [] : all.filter((attribute) => !isValue(attribute))
  const children = some(open, 3).flatMap((attribute) =>
    Array.from({ length: isList(attribute) ? pick([1, 1, 2]) : 1 }, (_, i): Child => {
      const below = (uid: string): Node => nodeOf(registry.model(uid), depth - 1, choices)
      return {
        alias: pick([attribute.name, `a_${attribute.name}`]) + (i === 0 ? '' : `_${i}`),
        attribute,
        page: isList(attribute)
          ? { start: pick([0, 0, 1]), limit: pick([1, 2, 5, 50]), descending: pick([false, true]) }
          : undefined,
        nodes:
          attribute.kind === 'zone'
            ? attribute.components.map(below)
            : attribute.kind === 'relation'
              ? [below(attribute.target)]
              : attribute.kind === 'component'
                ? [below(attribute.component)]
                : [],
      }
    }),
  )
  return { model, fields: some(all.filter(isCompared), 4).map(({ name }) => name), children }
}

/** The text of a selection. */
function printed(node: Node, preview: boolean): string {
  const parts = [...node.fields, ...node.children.map((child) => printedChild(child, preview))]
  if (node.model.kind === 'component') return `{ id ${parts.join(' ')} }`
  return `{ id ${parts.length === 0 ? '' : `attributes { ${parts.join(' ')} }`} }`
}

function printedChild({ alias, attribute, page, nodes }: Child, preview: boolean): string {
  const [node] = nodes
  if (!node) throw new Error(`${attribute.name} without a selection`)
  const isSingle = node.model.kind === 'singleType'
  const state = preview && hasDrafts(node.model) && page ? ', publicationState: PREVIEW' : ''
  const given =
    page === undefined
      ? ''
      : isSingle
        ? state && '(publicationState: PREVIEW)'
        : `(sort: "id:${page.descending ? 'desc' : 'asc'}", pagination: { start: ${page.start}, limit: ${page.limit} }${state})`
  const selection =
    attribute.kind === 'zone'
      ? `{ __typename ${nodes.map((each) => `... on ${typeName(each.model)} ${renamed(each, preview)}`).join(' ')} }`
      : attribute.kind === 'relation'
        ? `{ data ${printed(node, preview)} }`
        : printed(node, preview)
  return `${alias}: ${attribute.name}${given} ${selection}`
}

/** Fields of different components in one list must not differ under one name. */
function renamed(node: Node, preview: boolean): string {
  const prefix = typeName(node.model)
  const children = node.children.map((child) =>
    printedChild({ ...child, alias: `${prefix}_${child.alias}` }, preview),
  )
  return `{ id ${[...node.fields.map((name) => `${prefix}_${name}: ${name}`), ...children].join(' ')} }`
}

/** The parameters of REST for all relations of a selection, whole. */
function populated(node: Node, at: string): readonly string[] {
  return node.children.flatMap(({ attribute, nodes }) => {
    const place = `${at}[${attribute.name}]`
    if (attribute.kind === 'zone')
      return nodes.flatMap((each) => [
        `${place}[on][${each.model.uid}]=true`,
        ...populated(each, `${place}[on][${each.model.uid}][populate]`),
      ])
    const sort = isList(attribute) ? [`${place}[sort]=id`] : []
    return [`${place}[limit]=-1`, ...sort, ...nodes.flatMap((each) => populated(each, `${place}[populate]`))]
  })
}

/** The answer of GraphQL, from that of REST. */
function expected(source: Loose, node: Node, prefix = ''): Loose {
  if (source === null || source === undefined) return null
  const values = node.model.kind === 'component' ? source : source.attributes
  const made: Loose = {}
  for (const name of node.fields) {
    const attribute = node.model.attributes.get(name)
    const value = values[name] ?? null
    const isMoment = attribute?.definition.type === 'timestamp' && value !== null
    made[`${prefix}${name}`] = isMoment ? new Date(Number(value)).toISOString() : value
    if (attribute && isRequired(attribute, node.model) && made[`${prefix}${name}`] === null)
      return node.model.kind === 'component' ? null : { id: String(source.id), attributes: null }
  }
  for (const child of node.children) made[`${prefix}${child.alias}`] = childOf(values, child)
  if (node.model.kind === 'component') return { id: String(source.id), ...made }
  return { id: String(source.id), ...(Object.keys(made).length > 0 && { attributes: made }) }
}

function childOf(values: Loose, { attribute, page, nodes }: Child): Loose {
  const value = values[attribute.name]
  const [node] = nodes
  if (!node) throw new Error(`${attribute.name} without a selection`)
  if (attribute.kind === 'zone')
    return value.map((item: Loose) => {
      const own = nodes.find(({ model }) => model.uid === item.__component)
      const name = own ? typeName(own.model) : ''
      const shaped = own && expected(item, own, `${name}_`)
      return shaped && { __typename: name, ...shaped }
    })
  const isSingle = node.model.kind === 'singleType'
  const part = (list: Loose): Loose => {
    if (!page) return expected(list, node)
    const ordered = page.descending && !isSingle ? [...list].reverse() : list
    const { start, limit } = isSingle ? { start: 0, limit: 10 } : page
    return ordered.slice(start, start + limit).map((item: Loose) => expected(item, node))
  }
  // A relation that the caller may not read is no part of the answer of REST.
  if (attribute.kind === 'relation') return { data: part(value?.data ?? (page ? [] : null)) }
  return part(value)
}

/** Selections of one key that differ are refused, as the language asks. */
const isValid = ({ body }: { readonly body: Loose }): boolean =>
  body.errors?.[0]?.extensions.code !== 'GRAPHQL_VALIDATION_FAILED'

it('A random selection equals REST', async () => {
  const { registry } = running.server.octavo
  /** Of each caller. */
  const compared = tokens.map(() => 0)
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (gen) => {
      // By index: a counterexample is a list of numbers.
      const pick: Pick = <T>(items: readonly T[]): T => items[gen(fc.nat, { max: items.length - 1 })] as T
      const some = <T>(items: readonly T[], most: number): readonly T[] => {
        const all = items.map((_, i) => i)
        const chosen = gen(fc.subarray, all, { maxLength: Math.min(most, items.length) })
        return chosen.flatMap((i) => items[i] as T)
      }
      const type = pick(types)
      const preview = pick([false, true])
      const who = pick([0, 1, 2])
      const caller = tokens[who]
      const node = nodeOf(type, pick([1, 2, 3]), { pick, some, registry })
      const state = preview && hasDrafts(type)
      const query = `{ list: ${findName(type)}(sort: "id", pagination: { limit: 5 }${state ? ', publicationState: PREVIEW' : ''}) { data ${printed(node, state)} } }`
      const answer = await ask(running.url, query, caller === undefined ? {} : { token: caller })
      if (!isValid(answer)) return
      const path = `/api/${type.pluralName}?sort=id&pagination[limit]=5&publicationState=${state ? 'preview' : 'live'}&${[...new Set(populated(node, 'populate'))].join('&')}`
      const response = await fetch(`${running.url}${path}`, {
        headers: caller === undefined ? {} : { authorization: `Bearer ${caller}` },
      })
      const rest = (await response.json()) as Loose
      if (rest.error) {
        expect(answer.body.errors?.[0].extensions.error.name, query).toBe(rest.error.name)
        return
      }
      compared[who] = (compared[who] ?? 0) + 1
      expect(answer.body.data?.list.data, query).toEqual(
        rest.data.map((entry: Loose) => expected(entry, node)),
      )
    }),
    { numRuns: runs(90, 2_000) },
  )
  // Not all of them were refused.
  for (const count of compared) expect(count).toBeGreaterThan(0)
})
