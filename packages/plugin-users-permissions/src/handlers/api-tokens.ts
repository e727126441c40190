/** API tokens over HTTP, for people who manage the server. There is no such route below `/api`: a token cannot make another token. */
import { readId } from '@octavo/core/plugin'
import type { JsonSchema, ManagedRequest, ManagedRoutes } from '@octavo/server'
import { mistake, readTexts, throwIfAny } from '../input/input.ts'
import { problem } from '../problems.ts'
import type { Service } from '../service.ts'
import type { ApiToken, NewApiToken } from '../tokens/api-tokens.ts'

/** The largest number of tokens, so that the table cannot be filled. */
const mostTokens = 1_000

type Access = NewApiToken['access']

/** Adds the routes of API tokens. */
export function addTokenRoutes(routes: ManagedRoutes, service: () => Service): void {
  routes.add({
    method: 'GET',
    path: '/tokens',
    right: 'tokens',
    operation: {
      id: 'desk-tokens',
      summary: 'List API tokens',
      responses: { 200: { description: 'Without their texts.', schema: { type: 'array', items: token } } },
    },
    handler: async () => (await service().apiTokens.list()).map(shown),
  })
  routes.add({
    method: 'GET',
    path: '/tokens/actions',
    right: 'tokens',
    operation: {
      id: 'desk-token-actions',
      summary: 'List the actions that a new token may have',
      description: 'Those that the person may do without limits.',
      responses: { 200: { description: 'Names of actions.', schema: texts } },
    },
    handler: ({ owns }) => [...service().octavo.actions.keys()].filter((name) => owns([name])).sort(),
  })
  routes.add({
    method: 'POST',
    path: '/tokens',
    right: 'tokens',
    operation: {
      id: 'desk-createToken',
      summary: 'Make an API token',
      description: 'The text of the token is in this answer only. A token has no more rights than its maker.',
      body: { content: { 'application/json': { schema: tokenInput } } },
      responses: { 201: { description: 'The token.', schema: madeToken } },
    },
    handler: (request) => makeToken(request, service()),
  })
  routes.add({
    method: 'DELETE',
    path: '/tokens/:id',
    right: 'tokens',
    operation: {
      id: 'desk-endToken',
      summary: 'End an API token',
      responses: {
        200: {
          description: 'It is invalid at once.',
          schema: { type: 'object', properties: { ok: { const: true } } },
        },
      },
    },
    handler: ({ context, caller }) => endToken(readId(context.params.id), caller, service()),
  })
}

const shown = ({ access, ...rest }: ApiToken) => ({
  ...rest,
  access: access === 'full' || access === 'read-only' ? access : access.split(' '),
})

async function makeToken(request: ManagedRequest, { apiTokens, octavo, logger }: Service): Promise<object> {
  const { fields, caller } = request
  const { name, expiresAt } = readTexts(fields, {
    name: { maxBytes: 200, check: checkName },
    expiresAt: { required: false, check: (text) => checkEnd(text, octavo.store.now()) },
  })
  const access = readAccess(fields.access, octavo.actions)
  request.requireOwn(typeof access === 'string' ? 'everything' : access)
  if ((await apiTokens.list()).length >= mostTokens)
    throw problem('auth/too-many-tokens', { most: mostTokens })
  const made = await apiTokens.make({
    name,
    access,
    createdBy: caller,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
  })
  logger.info({ token: made.id, by: caller }, 'An API token was made')
  const listed = (await apiTokens.list()).find(({ id }) => id === made.id)
  return { ...(listed && shown(listed)), token: made.token }
}

async function endToken(
  id: number | undefined,
  caller: string,
  { apiTokens, logger }: Service,
): Promise<object> {
  if (id === undefined || !(await apiTokens.revoke(id))) throw problem('auth/no-token')
  logger.info({ token: id, by: caller }, 'An API token was ended')
  return { ok: true }
}

// Control characters and marks that turn the direction of a text have no place in names (S-28).
const checkName = (text: string): string | undefined =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) ? 'must not have control or invisible characters' : undefined

function checkEnd(text: string, now: Date): string | undefined {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) return 'must be a time, such as 2030-01-31T00:00:00Z'
  return time <= now.getTime() ? 'must be in the future' : undefined
}

/** @throws ValidationError */
function readAccess(given: unknown, actions: Service['octavo']['actions']): Access {
  if (given === 'full' || given === 'read-only') return given
  const isList = Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === 'string')
  if (!isList) throwIfAny([mistake('access', 'access must be read-only, full or a list of actions')])
  const list = [...new Set(given as readonly string[])]
  throwIfAny(
    list
      .filter((name) => !actions.has(name))
      .map((name) => mistake('access', `access names the action "${name}", which does not exist`)),
  )
  return list
}

const text: JsonSchema = { type: 'string' }
const texts: JsonSchema = { type: 'array', items: text }
const time: JsonSchema = { type: ['string', 'null'], format: 'date-time' }
const access: JsonSchema = {
  oneOf: [{ enum: ['read-only', 'full'] }, { ...texts, minItems: 1 }],
  description: 'All reading actions, all actions, or a list of actions: `api::article.article.find`.',
}

const tokenProperties = {
  id: { type: 'integer', minimum: 1 },
  name: text,
  access,
  expiresAt: { ...time, description: 'Null: never.' },
  lastUsedAt: { ...time, description: 'To the minute.' },
  createdAt: time,
  createdBy: { type: ['string', 'null'], description: '`editor 2`; null for the command line.' },
} as const satisfies Record<string, JsonSchema>

const token: JsonSchema = {
  type: 'object',
  required: Object.keys(tokenProperties),
  properties: tokenProperties,
}
const madeToken: JsonSchema = {
  type: 'object',
  required: [...Object.keys(tokenProperties), 'token'],
  properties: { ...tokenProperties, token: { ...text, description: 'For `Authorization: Bearer …`.' } },
}
const tokenInput: JsonSchema = {
  type: 'object',
  required: ['name', 'access'],
  properties: {
    name: text,
    access,
    expiresAt: { ...text, format: 'date-time', description: 'Default: never.' },
  },
}
