import type { ApiDescription, ApiSchemas, JsonSchema } from '@octavo/server'
import { cursorPattern } from './cursor.ts'

const change: JsonSchema = {
  type: 'object',
  required: ['kind', 'type', 'id', 'at'],
  properties: {
    kind: { enum: ['created', 'published', 'unpublished', 'updated', 'deleted'] },
    type: { type: 'string', description: 'The uid of the content-type.' },
    id: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
  },
}

const page = (schemas: ApiSchemas): JsonSchema => ({
  type: 'object',
  required: ['data', 'meta'],
  properties: {
    data: { type: 'array', items: schemas.named('Change') },
    meta: {
      type: 'object',
      required: ['cursor', 'hasMore'],
      properties: {
        cursor: { type: 'string', description: 'The `since` of the next request.' },
        hasMore: { type: 'boolean', description: 'Whether the next request has changes at once.' },
      },
    },
  },
})

/** The description of the feed for OpenAPI. */
export const describeChanges = (schemas: ApiSchemas): ApiDescription => ({
  tags: { Changes: 'The feed of changes.' },
  schemas: { Change: change },
  operations: {
    'GET /_changes': {
      id: 'findChanges',
      tag: 'Changes',
      summary: 'List the changes after a cursor, oldest first',
      description:
        'Without `since`, an empty list with the present cursor. With `Accept: text/event-stream` a stream whose events have a change each, and its cursor as their id.',
      query: [
        {
          name: 'since',
          description: 'A cursor of an earlier answer.',
          schema: { type: 'string', pattern: cursorPattern },
        },
      ],
      responses: {
        200: {
          description: 'The changes that the caller may read.',
          schema: page(schemas),
        },
      },
    },
  },
})
