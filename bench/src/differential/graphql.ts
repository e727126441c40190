/** Random queries of GraphQL over the schema of Octavo, without what is answered otherwise on purpose: see docs/graphql.md. */
import fc from 'fast-check'
import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isInputObjectType,
  isLeafType,
  isUnionType,
} from 'graphql'
import type { Answer } from './compare.ts'
import { valuesOf } from './model.ts'
import { components, contentTypes } from './project.ts'
import { day, moment, time, word } from './values.ts'

type Text = fc.Arbitrary<string>

const oneOf = <T>(items: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...items)
const sometimes = (percent: number, part: Text): Text =>
  fc.oneof({ weight: 100 - percent, arbitrary: fc.constant('') }, { weight: percent, arbitrary: part })

/** Values of a filter by the type of GraphQL. */
const scalars: Readonly<Record<string, Text>> = {
  String: word.map((text) => JSON.stringify(text)),
  Int: fc.integer({ min: -5, max: 20 }).map(String),
  Long: fc.nat({ max: 20 }).map((n) => `${n}000000000`),
  Float: fc.nat({ max: 1_000 }).map((n) => String(n / 8)),
  ID: fc.integer({ min: 1, max: 16 }).map((n) => `"${n}"`),
  Boolean: oneOf(['true', 'false']),
  Date: day.map((text) => `"${text}"`),
  Time: time.map((text) => `"${text}.000"`),
  DateTime: moment.map((text) => `"${text}"`),
}

/** Private attributes and passwords, which Octavo filters by for nobody, and what it does not have. */
const unfiltered = new Set([
  ...[...contentTypes, ...components].flatMap(({ attributes }) =>
    Object.entries(attributes).flatMap(([name, { type, private: isPrivate }]) =>
      type === 'password' || isPrivate ? name : [],
    ),
  ),
  ...['localizations', 'related', 'hash', 'provider', 'folder', 'folderPath'],
])

const isText = (name: string): boolean => /(?:starts|ends)With|ontains|eqi|nei/.test(name)

/** `{ eq: 1 }` */
function comparison(type: GraphQLInputType, depth: number): Text | undefined {
  if (!isInputObjectType(type)) return undefined
  const scalar = type.getFields().eq?.type
  const value = scalar && scalars[getNamedType(scalar).name]
  if (!scalar || !value) return undefined
  const list = (min: number, max: number) =>
    fc.array(value, { minLength: min, maxLength: max }).map((items) => `[${items.join(', ')}]`)
  const names = Object.keys(type.getFields()).filter(
    (name) =>
      !['and', 'or', 'not'].includes(name) && (getNamedType(scalar).name === 'String' || !isText(name)),
  )
  const plain = oneOf(names).chain((name): Text => {
    if (name === 'null' || name === 'notNull') return oneOf([`{ ${name}: true }`, `{ ${name}: false }`])
    if (name === 'between') return list(2, 2).map((items) => `{ between: ${items} }`)
    if (name === 'in' || name === 'notIn') return list(1, 3).map((items) => `{ ${name}: ${items} }`)
    return value.map((one) => `{ ${name}: ${one} }`)
  })
  const nots = depth > 2 ? undefined : comparison(type, depth + 1)?.map((inner) => `{ not: ${inner} }`)
  return nots ? fc.oneof({ weight: 8, arbitrary: plain }, { weight: 1, arbitrary: nots }) : plain
}

const withDrafts = new Set(
  contentTypes.filter(({ options }) => options?.draftAndPublish).map((type) => nameOf(type)),
)

function nameOf({ info: { singularName } }: (typeof contentTypes)[number]): string {
  return singularName.replace(/^./, (first) => first.toUpperCase())
}

const mayPass = (input: string, seesDrafts: boolean): boolean =>
  input.endsWith('FiltersInput') && (seesDrafts || !withDrafts.has(input.replace('FiltersInput', '')))

/** A `…FiltersInput`. @param seesDrafts Whether the field takes `publicationState`: without it Octavo hides drafts from its filters. */
function filters(type: GraphQLInputType, seesDrafts: boolean, depth = 0): Text {
  const named = getNamedType(type)
  if (!isInputObjectType(named)) throw new Error(`${named.name} is no input of filters`)
  const fields = Object.values(named.getFields())
  const compared: Text[] = []
  const through: Text[] = []
  for (const field of fields) {
    if (unfiltered.has(field.name) || ['and', 'or', 'not'].includes(field.name)) continue
    const one = comparison(getNamedType(field.type) as GraphQLInputType, 0)
    if (one) compared.push(one.map((text) => `{ ${field.name}: ${text} }`))
    else if (depth < 3 && mayPass(getNamedType(field.type).name, seesDrafts))
      through.push(
        fc
          .constant('')
          .chain(() => filters(field.type, seesDrafts, depth + 1))
          .map((text) => `{ ${field.name}: ${text} }`),
      )
  }
  const parts = [{ weight: 5, arbitrary: fc.oneof(...compared) }]
  if (through.length > 0) parts.push({ weight: 3, arbitrary: fc.oneof(...through) })
  if (depth < 3) {
    const below = fc.constant('').chain(() => filters(type, seesDrafts, depth + 1))
    parts.push({
      weight: 1,
      arbitrary: fc
        .tuple(oneOf(['and', 'or']), below, below)
        .map(([group, one, other]) => `{ ${group}: [${one}, ${other}] }`),
    })
    parts.push({ weight: 1, arbitrary: below.map((text) => `{ not: ${text} }`) })
  }
  return fc.oneof(...parts)
}

const pagination: Text = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), oneOf([1, 2, 3, 200, 0, -1]))
    .map(([page, size]) => `{ page: ${page}, pageSize: ${size} }`),
  fc
    .tuple(fc.integer({ min: -1, max: 3 }), oneOf([1, 2, 5, 0, 1_000]))
    .map(([start, limit]) => `{ start: ${start}, limit: ${limit} }`),
  oneOf([1, 3]).map((limit) => `{ limit: ${limit} }`),
)

/** Attributes by which a list may be sorted, by the name of the type of GraphQL. */
const sortable = new Map(
  contentTypes.map((type) => {
    const { singularName } = type.info
    const names = valuesOf(`api::${singularName}.${singularName}`).filter(
      ({ name, type }) => type !== 'json' && !/At$/.test(name),
    )
    return [nameOf(type), names.map(({ name }) => name)] as const
  }),
)

const argument: Readonly<
  Record<string, (field: GraphQLField<unknown, unknown>, type: GraphQLInputType) => Text>
> = {
  filters: ({ args }, type) =>
    sometimes(
      40,
      fc
        .constant('')
        .chain(() =>
          filters(
            type,
            args.some(({ name }) => name === 'publicationState'),
          ),
        )
        .map((text) => `filters: ${text}`),
    ),
  pagination: () =>
    sometimes(
      25,
      pagination.map((text) => `pagination: ${text}`),
    ),
  sort: (field) => {
    const entity = getNamedType(field.type).name.replace(/(?:Entity|Relation)ResponseCollection$/, '')
    const names = sortable.get(entity)
    if (!names) return fc.constant('sort: ["id"]')
    return fc
      .tuple(oneOf(names), oneOf(['', ':desc', ':ASC']))
      .map(([name, direction]) => `sort: ["${name}${direction}", "id"]`)
  },
  publicationState: () => fc.constant('publicationState: PREVIEW'),
  locale: (field) =>
    sometimes(
      30,
      oneOf(['fr', 'de', 'en', ...(hasMany(field) ? ['all'] : [])]).map((code) => `locale: "${code}"`),
    ),
  id: () => fc.integer({ min: 1, max: 15 }).map((id) => `id: ${id}`),
}

/** A single type with all locales is an entry of nulls in the reference. */
const hasMany = ({ type }: GraphQLField<unknown, unknown>): boolean =>
  getNamedType(type).name.endsWith('Collection')

function call(field: GraphQLField<unknown, unknown>): Text {
  const made = field.args.map(({ name, type }) => argument[name]?.(field, type) ?? fc.constant(''))
  return fc.tuple(...made).map((texts) => {
    const given = texts.filter(Boolean).join(', ')
    return given && `(${given})`
  })
}

const ofServers = new Set(['related', 'provider_metadata', 'previewUrl', 'hash', 'url', 'formats'])

function selection(schema: GraphQLSchema, output: GraphQLOutputType, depth: number): Text {
  const type = getNamedType(output)
  if (isLeafType(type)) return fc.constant('')
  if (isUnionType(type)) {
    const some = type.getTypes().filter((one) => one.name !== 'Error')
    return fc
      .tuple(...some.map((one) => inObject(schema, one, depth).map((text) => `... on ${one.name} ${text}`)))
      .map((texts) => ` { __typename ${texts.join(' ')} }`)
  }
  return inObject(schema, type as GraphQLObjectType, depth).map((text) => ` ${text}`)
}

function inObject(schema: GraphQLSchema, type: GraphQLObjectType, depth: number): Text {
  const fields = Object.values(type.getFields()).filter(({ name }) => !ofServers.has(name))
  const isWhole = /(?:Entity|EntityResponse|ResponseCollection|ResponseCollectionMeta|Pagination)$/.test(
    type.name,
  )
  const isDeep = ({ type: output }: GraphQLField<unknown, unknown>) => !isLeafType(getNamedType(output))
  const offered = depth > 4 && !isWhole ? fields.filter((field) => !isDeep(field)) : fields
  const of = (field: GraphQLField<unknown, unknown>): Text =>
    fc
      .tuple(call(field), selection(schema, field.type, isWhole ? depth : depth + 1))
      .map(([given, below]) => `${field.name}${given}${below}`)
  const lazily = (field: GraphQLField<unknown, unknown>): Text => fc.constant('').chain(() => of(field))
  if (isWhole) return fc.tuple(...fields.map(lazily)).map((texts) => `{ ${texts.join(' ')} }`)
  return fc
    .uniqueArray(oneOf(offered), { minLength: 1, maxLength: depth > 1 ? 2 : 4, selector: ({ name }) => name })
    .chain((chosen) => fc.tuple(...chosen.map(lazily)))
    .map((texts) => `{ ${texts.join(' ')} }`)
}

/** The schema that a server answers. */
export async function schemaOf(url: string): Promise<GraphQLSchema> {
  const { body } = await send(url, getIntrospectionQuery())
  return buildClientSchema((body as { readonly data: IntrospectionQuery }).data)
}

/** A query with one root field of the content. */
export function query(schema: GraphQLSchema): Text {
  const fields = schema.getQueryType()?.getFields() ?? {}
  // A draft by its id is hidden without `publicationState`, which the reference does not have there.
  const names = contentTypes.flatMap(({ kind, options, info: { singularName, pluralName } }) => {
    if (kind === 'singleType') return [singularName]
    return options?.draftAndPublish ? [pluralName] : [singularName, pluralName, pluralName]
  })
  return oneOf(names).chain((name) => {
    const field = fields[name]
    if (!field) throw new Error(`there is no field ${name}`)
    return fc
      .tuple(call(field), selection(schema, field.type, 0))
      .map(([given, below]) => `{ ${name}${given}${below} }`)
  })
}

/** A mutation that creates or updates an entry, with its answer. */
export function mutation(schema: GraphQLSchema, singularName: string, id: number | undefined): Text {
  const name = `${id === undefined ? 'create' : 'update'}${singularName.replace(/^./, (first) => first.toUpperCase())}`
  const field = schema.getMutationType()?.getFields()[name]
  if (!field) throw new Error(`there is no field ${name}`)
  const data = field.args.find((one) => one.name === 'data')?.type
  const at = id === undefined ? '' : `id: ${id}, `
  return selection(schema, field.type, 0).map(
    (below) => `mutation ($data: ${data}) { ${name}(${at}data: $data)${below} }`,
  )
}

/** The answer of a mutation as that of REST. */
export function asRest({ status, body }: Answer): Answer {
  const { data, errors } = body as {
    readonly data?: Readonly<Record<string, unknown>>
    readonly errors: readonly GraphqlKind[]
  }
  const [entry] = Object.values(data ?? {}) as readonly ({
    readonly data: { readonly id: string } | null
  } | null)[]
  if (errors.length === 0)
    return { status, body: { data: entry?.data && { ...entry.data, id: Number(entry.data.id) } } }
  return { status: Math.max(status, 400), body: { error: { name: JSON.stringify(errors) } } }
}

export async function send(url: string, document: string, variables?: object): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
  })
  return { status: response.status, body: await response.json() }
}

interface GraphqlBody {
  readonly data?: unknown
  readonly errors?: readonly GraphqlError[]
}

interface GraphqlError {
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string; readonly error?: { readonly name?: string } }
}

interface GraphqlKind {
  readonly path: GraphqlError['path']
  readonly code: string | undefined
  readonly name: string | undefined
}

/** What clients can act on: the data, and of each error its place, code and name; an error of the reference itself is a status of 500. */
export function comparableAnswer({ status, body }: Answer): Answer {
  const { data, errors = [] } = body as GraphqlBody
  const kinds = errors.map(
    ({ path, extensions }): GraphqlKind => ({
      path,
      code: extensions?.code,
      name: extensions?.error?.name,
    }),
  )
  const isFault = kinds.some(({ code }) => code === 'INTERNAL_SERVER_ERROR')
  return { status: isFault ? 500 : status, body: { data, errors: kinds } }
}
