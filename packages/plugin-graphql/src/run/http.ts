/** Requests of GraphQL over HTTP. */
import { createHash } from 'node:crypto'
import { isObject, jsonErrorText } from '@octavo/core/internal'
import type { RouteContext } from '@octavo/server'
import { LRUCache } from 'lru-cache'
import { type RequestRefusal, refusal } from '../errors.ts'

export interface GraphqlRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
}

/** Characters of texts that clients registered by their hash. */
const persistedCharacters = 4_000_000

/** Texts by their SHA-256, for clients that send the hash only. */
export type Persisted = LRUCache<string, string>

export const persistedTexts = (): Persisted =>
  new LRUCache({ maxSize: persistedCharacters, sizeCalculation: (text) => text.length + 100 })

/** @throws RequestRefusal */
export function requestOf(given: Readonly<Record<string, unknown>>, persisted: Persisted): GraphqlRequest {
  const { operationName, variables } = given
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw refusal(400, 'BAD_REQUEST', '`operationName` in a POST body must be a string.')
  const values = objectOf(variables, 'variables')
  const extensions = objectOf(given.extensions, 'extensions')
  return {
    query: textOf(given.query, extensions?.persistedQuery, persisted),
    operationName: operationName ?? undefined,
    variables: values,
  }
}

/** In a URL they are JSON. */
function objectOf(value: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const object = typeof value === 'string' ? parsed(value, name) : value
  if (isObject(object)) return object
  throw refusal(400, 'BAD_REQUEST', `\`${name}\` must be an object.`)
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal(400, 'BAD_REQUEST', `\`${name}\` must be an object${jsonErrorText(text)}.`)
  }
}

function textOf(query: unknown, persistedQuery: unknown, persisted: Persisted): string {
  if (query !== undefined && query !== null && typeof query !== 'string')
    throw refusal(400, 'BAD_REQUEST', '`query` must be a string.')
  const hash = isObject(persistedQuery) ? persistedQuery.sha256Hash : undefined
  if (typeof hash !== 'string') {
    if (query) return query
    throw refusal(
      400,
      'BAD_REQUEST',
      'GraphQL operations must contain a non-empty `query` or a `persistedQuery` extension.',
    )
  }
  if (!query) {
    const known = persisted.get(hash)
    if (known !== undefined) return known
    // The client repeats the request with the text.
    throw refusal(200, 'PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
  }
  if (createHash('sha256').update(query).digest('hex') !== hash)
    throw refusal(400, 'BAD_REQUEST', 'provided sha does not match query')
  persisted.set(hash, query)
  return query
}

const json = 'application/json; charset=utf-8'

export function send(context: RouteContext, status: number, body: object): void {
  context.status = status
  sendText(context, JSON.stringify(body))
}

/** @param body JSON text. */
export function sendText(context: RouteContext, body: string): void {
  // `context.type` would look the charset up for each request.
  context.res.setHeader('Content-Type', typeFor(context))
  context.res.setHeader('Cache-Control', 'private, no-store')
  context.body = body
}

const graphqlJson = 'application/graphql-response+json'

/** Codes of refusals of the operation, in a request that is in order. */
const ofOperation: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
])

/** The status of a refusal by the specification GraphQL over HTTP, section 6.4. */
export const specifiedStatus = (context: RouteContext, { status, errors }: RequestRefusal): number =>
  ofOperation.has(errors[0]?.extensions.code) && typeFor(context) === json ? 200 : status

function typeFor(context: RouteContext): string {
  if (!context.req.headers.accept?.includes(graphqlJson)) return json
  return context.accepts(['application/json', graphqlJson]) === graphqlJson
    ? `${graphqlJson}; charset=utf-8`
    : json
}
