import type { ApiOperation, ApiParameter, ApiResponse, Endpoint, JsonSchema } from '@octavo/server'

/** Statuses whose answers are the error envelope, by the name of their response. */
export const errorResponses = {
  400: ['BadRequest', 'The request has mistakes.'],
  401: ['Unauthorized', 'The credentials are not valid.'],
  403: ['Forbidden', 'The caller may not do this.'],
  404: ['NotFound', 'There is no such entry, or the caller may not read it.'],
  413: ['PayloadTooLarge', 'The body is larger than allowed.'],
  429: ['TooManyRequests', 'Too many attempts; `Retry-After` has the seconds to wait.'],
} as const satisfies Record<number, readonly [name: string, description: string]>

const reference = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` })

/** The errors that an endpoint may answer with. Any other error is `default`. */
function errorsOf({ path, actions }: Endpoint, { body }: ApiOperation, isLimited: boolean): JsonSchema {
  const statuses: (keyof typeof errorResponses)[] = [400, 401]
  if (actions.length > 0) statuses.push(403)
  if (/[:*]/.test(path)) statuses.push(404)
  if (body) statuses.push(413)
  if (isLimited) statuses.push(429)
  return {
    ...Object.fromEntries(statuses.map((status) => [status, reference(errorResponses[status][0])])),
    default: reference('ServerError'),
  }
}

/** An operation as OpenAPI has it. */
export function operationObject(
  endpoint: Endpoint,
  operation: ApiOperation,
  id: string,
  isProtected: boolean,
): JsonSchema {
  const { tag, summary, description, security, query = [], body, responses } = operation
  const isLimited = endpoint.path.includes('/auth/') || endpoint.path.includes('/connect/')
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(security && { security: security.map((name) => ({ [name]: [] })) }),
    ...(!isProtected && { security: [] }),
    ...(query.length > 0 && { parameters: query.map(parameterObject) }),
    ...(body && { requestBody: { required: true, ...body } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, responseObject(response)]),
      ),
      ...errorsOf(endpoint, operation, isLimited),
    },
  }
}

function parameterObject({ name, style, explode, ...rest }: ApiParameter): JsonSchema {
  return {
    name,
    in: 'query',
    ...(style === 'deepObject' && { style, explode: true }),
    ...(explode !== undefined && { style: 'form', explode }),
    ...rest,
  }
}

function responseObject({
  description,
  schema,
  mediaType = 'application/json',
  example,
}: ApiResponse): JsonSchema {
  return {
    description,
    ...(schema && { content: { [mediaType]: { schema, ...(example !== undefined && { example }) } } }),
  }
}
