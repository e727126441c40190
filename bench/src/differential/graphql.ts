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
  isLeafType,
  isUnionType,
} from 'graphql'
import { send } from './graphql-answers.ts'
import { filters, nameOf, oneOf, sometimes, type Text } from './graphql-filters.ts'
import { valuesOf } from './model.ts'
import { contentTypes } from './project.ts'

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
    return [nameOf(type.info), names.map(({ name }) => name)] as const
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
    // The ids of components that one write makes are in any order in the reference.
    if (!names) return fc.constant(entity.startsWith('Component') ? '' : 'sort: ["id"]')
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

const ofPlugins = [
  'uploadFiles',
  'uploadFile',
  'usersPermissionsUsers',
  'usersPermissionsUser',
  'usersPermissionsRoles',
]

/** A query with one root field of the content, of files, users or roles. */
export function query(schema: GraphQLSchema): Text {
  const fields = schema.getQueryType()?.getFields() ?? {}
  // A draft by its id is hidden without `publicationState`, which the reference does not have there.
  const names = contentTypes.flatMap(({ kind, options, info: { singularName, pluralName } }) => {
    if (kind === 'singleType') return [singularName]
    return options?.draftAndPublish ? [pluralName] : [singularName, pluralName, pluralName]
  })
  return oneOf([...names, ...ofPlugins]).chain((name) => {
    const field = fields[name]
    if (!field) throw new Error(`there is no field ${name}`)
    return fc
      .tuple(call(field), selection(schema, field.type, 0))
      .map(([given, below]) => `{ ${name}${given}${below} }`)
  })
}

/** A mutation that creates or updates an entry, with its answer. */
export function mutation(schema: GraphQLSchema, singularName: string, id: number | undefined): Text {
  const name = `${id === undefined ? 'create' : 'update'}${nameOf({ singularName })}`
  const field = schema.getMutationType()?.getFields()[name]
  if (!field) throw new Error(`there is no field ${name}`)
  const data = field.args.find((one) => one.name === 'data')?.type
  const at = id === undefined ? '' : `id: ${id}, `
  return selection(schema, field.type, 0).map(
    (below) => `mutation ($data: ${data}) { ${name}(${at}data: $data)${below} }`,
  )
}
