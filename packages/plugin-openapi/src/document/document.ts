import type { Octavo } from '@octavo/core'
import type { ContentAction, ContentType } from '@octavo/core/plugin'
import type { ApiDescription, ApiOperation, Endpoint, JsonSchema } from '@octavo/server'
import type { Visible, Writable } from '../schemas/context.ts'
import { ModelSchemas } from '../schemas/model-schemas.ts'
import { camel, firstFree, pascal } from '../schemas/names.ts'
import { contentOperation } from './content-operations.ts'
import { errorResponses, operationObject } from './operation.ts'
import { PathTable, pathsOf, templateOf } from './paths.ts'
import { serverOperations } from './server-operations.ts'

/** The head of a description. */
export interface ApiInfo {
  /** Title of the API. Default `Content API`. */
  readonly title?: string
  /** Version of the API, not of Octavo. Default `1.0.0`. */
  readonly version?: string
  /** A description in Markdown. Default none. */
  readonly description?: string
}

export interface DocumentOptions {
  readonly info?: ApiInfo
  /** Addresses of the server. Default: where the description itself is served. */
  readonly servers?: readonly string[]
  /** The endpoints to describe. */
  readonly endpoints: readonly Endpoint[]
  /** Attributes that may be described. Default: all that are not private. */
  readonly visible?: Visible
  /** Attributes that the bodies of writes may have. Default: all. */
  readonly writable?: Writable
  /** Whether the description is for one caller of the content endpoints. Default false: for all callers. */
  readonly isForCaller?: boolean
}

export const defaultTitle = 'Content API'

/** The OpenAPI 3.1 description of endpoints. */
export function openApiDocument(
  { registry, hooks, operators, strict }: Pick<Octavo, 'registry' | 'hooks' | 'operators' | 'strict'>,
  {
    info,
    servers = ['/'],
    endpoints,
    visible = () => undefined,
    writable = () => undefined,
    isForCaller = false,
  }: DocumentOptions,
): JsonSchema {
  const parts: ApiDescription[] = []
  const schemas = new ModelSchemas({ registry, operators, strict, visible, writable, parts: () => parts })
  for (const part of hooks.collect('server:describe', schemas)) parts.push(part)
  const added = (type: ContentType, action: ContentAction) =>
    parts.flatMap(({ parameters }) => parameters?.(type, action) ?? [])
  const lists = (type: ContentType): boolean => parts.some((part) => part.lists?.(type))
  const described = new Map(parts.flatMap(({ operations = {} }) => Object.entries(operations)))
  const schemes: Record<string, JsonSchema> = Object.assign(
    {},
    ...parts.map((part) => part.securitySchemes ?? {}),
  )
  // The schemes that operations name are for callers of other kinds.
  const named = new Set(
    [...described.values()].flatMap((operation) => (operation ? (operation.security ?? []) : [])),
  )
  const general = Object.keys(schemes).filter((name) => !named.has(name))
  const securitySchemes = Object.fromEntries(
    Object.entries(schemes).filter(([name]) => !isForCaller || !named.has(name)),
  )
  const table = new PathTable()
  const ids = new Set<string>()
  const tags = new Set<string>()
  for (const endpoint of endpoints) {
    const operation = endpoint.content
      ? contentOperation(endpoint.content, schemas, { added, lists }, endpoints)
      : endpoint.plugin === undefined
        ? serverOperations[endpoint.path]
        : (described.get(`${endpoint.method} ${endpoint.route}`) ??
          (endpoint.root ? false : undescribed(endpoint)))
    if (!operation || (isForCaller && operation.security)) continue
    const isStrict = strict && endpoint.content !== undefined
    tags.add(operation.tag)
    const isDescribed = described.has(`${endpoint.method} ${endpoint.route}`)
    table.add(endpoint, endpoint.plugin === undefined || isDescribed, (one) => {
      const id = firstFree([camel(operation.id)], (name) => !ids.has(name))
      ids.add(id)
      const isProtected = one.plugin !== undefined || one.content !== undefined
      return operationObject(one, isStrict ? withRefusal(operation) : operation, id, isProtected)
    })
  }
  const { paths } = table
  const responses = responsesOf(schemas.named('Error'))
  return {
    openapi: '3.1.1',
    info: {
      title: info?.title ?? defaultTitle,
      version: info?.version ?? '1.0.0',
      ...(info?.description !== undefined && { description: info.description }),
    },
    servers: servers.map((url) => ({ url })),
    ...securityOf(general),
    tags: tagObjects(tags, registry.contentTypes.values(), parts),
    paths,
    components: {
      schemas: schemas.reachableFrom({ paths, responses }),
      responses,
      ...(Object.keys(securitySchemes).length > 0 && { securitySchemes }),
    },
  }
}

/** The description of an operation with what the option `strict` does. */
const withRefusal = (operation: ApiOperation): ApiOperation => ({
  ...operation,
  description: [operation.description, 'Parameters and attributes that are not listed are refused with 400.']
    .filter((text) => text !== undefined)
    .join(' '),
})

/** A request needs no credentials; with them it has the rights of their owner. */
const securityOf = (schemes: readonly string[]): JsonSchema => ({
  security: [{}, ...schemes.map((name) => ({ [name]: [] }))],
})

function responsesOf(error: JsonSchema): JsonSchema {
  const content = { 'application/json': { schema: error } }
  return {
    ...Object.fromEntries(
      Object.values(errorResponses).map(([name, description]) => [name, { description, content }]),
    ),
    ServerError: { description: 'Any other error.', content },
  }
}

function tagObjects(
  used: ReadonlySet<string>,
  types: Iterable<ContentType>,
  parts: readonly ApiDescription[],
): readonly JsonSchema[] {
  const descriptions: Record<string, unknown> = Object.assign(
    { Health: 'Whether the server works.' },
    ...[...types].map(({ displayName, definition }) => ({
      [displayName]: definition.info.description || `Entries of ${displayName}.`,
    })),
    ...parts.map(({ tags }) => tags),
  )
  return [...used].map((name) => {
    const description = descriptions[name]
    return { name, ...(typeof description === 'string' && description !== '' && { description }) }
  })
}

/** The route of a plugin that does not describe it. */
function undescribed({ method, route, plugin = '' }: Endpoint): ApiOperation {
  const name = pascal(route.replaceAll(':', 'by-'))
  return {
    id: `${method.toLowerCase()}${name}`,
    tag: plugin,
    summary: `${method} ${templateOf(pathsOf(route)[0] ?? route)}`,
    ...(method !== 'GET' &&
      method !== 'DELETE' && { body: { required: false, content: { 'application/json': { schema: {} } } } }),
    responses: { 200: { description: 'See the documentation of the plugin.', mediaType: '*/*', schema: {} } },
  }
}
