import type { JsonSchema, ManagedRoute } from '@octavo/server'
import { allEvents } from '../options.ts'
import { mostAttempts } from './input.ts'

const text: JsonSchema = { type: 'string' }
const texts: JsonSchema = { type: 'array', items: text }
const time: JsonSchema = { type: ['string', 'null'], format: 'date-time' }
const error: JsonSchema = { type: ['string', 'null'] }
const id: JsonSchema = { type: 'integer', minimum: 1 }
const status: JsonSchema = { type: ['integer', 'null'], description: 'Of the response; null without one.' }
const ok: JsonSchema = { type: 'object', required: ['ok'], properties: { ok: { const: true } } }

const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({ type: 'object', ...(required.length > 0 && { required }), properties })

const events: JsonSchema = { type: 'array', minItems: 1, items: { enum: allEvents } }

const input = {
  name: { ...text, maxLength: 100 },
  url: { ...text, format: 'uri', description: '`https://…` or `http://…`, without a password.' },
  events: { ...events, description: 'Default: all events.' },
  types: {
    type: ['array', 'null'],
    items: text,
    description: 'Uids of content-types for `entry.*`. Null, the default: all `api::` types.',
  },
  headers: {
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description: 'Additional headers; null keeps the stored value, for the same server only.',
  },
  enabled: { type: 'boolean', description: 'Default true.' },
  attempts: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: mostAttempts,
    description: 'Attempts for one delivery. Null, the default: the option of the plugin.',
  },
} as const satisfies Record<string, JsonSchema>

const output = {
  id,
  ...input,
  headers: {
    type: 'object',
    additionalProperties: { type: 'null' },
    description: 'The names of the headers. Their values are not shown.',
  },
  secrets: { type: 'integer', description: 'The number of secrets that sign.' },
  createdAt: time,
  changedAt: time,
} as const satisfies Record<string, JsonSchema>

const webhook = object(output)

const delivery = object({
  id,
  event: text,
  state: { enum: ['pending', 'delivered', 'failed'] },
  attempts: { type: 'integer' },
  status,
  error,
  createdAt: time,
  finishedAt: time,
  nextAttemptAt: time,
})

type Operation = ManagedRoute['operation']

const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })

/** The descriptions of the routes. */
export const operations = {
  list: {
    id: 'desk-webhooks',
    summary: 'List webhooks',
    responses: {
      200: {
        description: 'Those in the database, and those in code.',
        schema: object({
          webhooks: { type: 'array', items: webhook },
          configured: { type: 'array', items: object({ name: text, origin: text, events: texts }) },
        }),
      },
    },
  },
  create: {
    id: 'desk-createWebhook',
    summary: 'Make a webhook',
    description: 'The secret is in this answer only. Needs `read` without limits on all that is sent.',
    body: json(object(input, ['name', 'url'])),
    responses: { 201: { description: 'The webhook.', schema: object({ ...output, secret: text }) } },
  },
  one: {
    id: 'desk-webhook',
    summary: 'Read a webhook',
    responses: { 200: { description: 'The webhook.', schema: webhook } },
  },
  change: {
    id: 'desk-changeWebhook',
    summary: 'Change a webhook',
    description: 'Absent values stay.',
    body: json(object(input, [])),
    responses: { 200: { description: 'The webhook.', schema: webhook } },
  },
  remove: {
    id: 'desk-deleteWebhook',
    summary: 'Delete a webhook, with its deliveries',
    responses: { 200: { description: 'It is done.', schema: ok } },
  },
  secret: {
    id: 'desk-newSecret',
    summary: 'Make a new secret of a webhook',
    description:
      'The secret is in this answer only. The former one signs as well until the next one is made; `endFormer` ends it at once.',
    body: json(object({ endFormer: { type: 'boolean', description: 'Default false.' } }, [])),
    responses: { 201: { description: 'The secret.', schema: object({ secret: text }) } },
  },
  test: {
    id: 'desk-testWebhook',
    summary: 'Send the event `trigger-test` to a webhook, once',
    responses: { 200: { description: 'The outcome.', schema: object({ status, error }) } },
  },
  deliveries: {
    id: 'desk-deliveries',
    summary: 'List the last 100 deliveries of a webhook',
    responses: {
      200: { description: 'The newest first.', schema: { type: 'array', items: delivery } },
    },
  },
} as const satisfies Record<string, Operation>
