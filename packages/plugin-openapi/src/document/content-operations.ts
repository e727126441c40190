import type { ContentAction, ContentType } from '@octavo/core/plugin'
import type { ApiBody, ApiOperation, ApiParameter, Endpoint, JsonSchema } from '@octavo/server'
import type { ModelSchemas } from '../schemas/model-schemas.ts'
import { pascal } from '../schemas/names.ts'
import { anyObject } from '../schemas/shared.ts'
import { listParameters, selection } from './parameters.ts'

/** The parts of plugins in the description of an endpoint. */
export interface ContentParts {
  /** The query parameters that they add. */
  added(
    type: ContentType,
    action: Exclude<NonNullable<Endpoint['content']>['action'], 'bulk'>,
  ): readonly ApiParameter[]
  /** Whether a parameter requests all entries of a single type. */
  lists(type: ContentType): boolean
}

/** The description of an endpoint of a content-type. @param endpoints All that are described. */
export function contentOperation(
  { type, action }: NonNullable<Endpoint['content']>,
  schemas: ModelSchemas,
  { added, lists }: ContentParts,
  endpoints: readonly Endpoint[],
): ApiOperation {
  const { uid, displayName, pluralName, singularName } = type
  const isSingle = type.kind === 'singleType'
  const [one, many] = [pascal(singularName), pascal(pluralName)]
  const tag = displayName
  if (action === 'bulk')
    return {
      id: `bulk${isSingle ? one : many}`,
      tag,
      summary: `Write many of ${displayName}`,
      ...bulk(type, schemas, (part) =>
        endpoints.some(({ content }) => content?.type === type && content.action === part),
      ),
    }
  const query = [...selection(type, schemas), ...added(type, action)]
  const answer = (description: string) => ({ 200: { description, schema: schemas.response(uid) } })
  switch (action) {
    case 'find':
      return isSingle
        ? {
            id: `find${one}`,
            tag,
            summary: `Read ${displayName}`,
            query,
            responses: lists(type) ? oneOrAll(schemas.entry(uid)) : answer('The entry.'),
          }
        : {
            id: `find${many}`,
            tag,
            summary: `List entries of ${displayName}`,
            query: [...listParameters(type, schemas), ...query],
            responses: { 200: { description: 'A page of entries.', schema: schemas.list(uid) } },
          }
    case 'findOne':
      return {
        id: `findOne${one}`,
        tag,
        summary: `Read an entry of ${displayName}`,
        query,
        responses: answer('The entry.'),
      }
    case 'create':
      return {
        id: `create${one}`,
        tag,
        summary: `Create an entry of ${displayName}`,
        query,
        body: body(type, schemas, 'create'),
        responses: answer('The created entry.'),
      }
    case 'update':
      return {
        id: `update${one}`,
        tag,
        summary: isSingle ? `Create or update ${displayName}` : `Update an entry of ${displayName}`,
        query,
        body: body(type, schemas, 'update'),
        responses: answer('The updated entry.'),
      }
    case 'delete':
      return {
        id: `delete${one}`,
        tag,
        summary: isSingle ? `Delete ${displayName}` : `Delete an entry of ${displayName}`,
        query,
        responses: answer('The deleted entry.'),
      }
  }
}

/** The answer of a single type of which a parameter requests all entries. */
const oneOrAll = (entry: JsonSchema): ApiOperation['responses'] => ({
  200: {
    description: 'The entry, or a list of all.',
    schema: {
      type: 'object',
      required: ['data', 'meta'],
      properties: {
        data: { anyOf: [entry, { type: 'array', items: entry }] },
        meta: anyObject,
      },
    },
  },
})

function body(type: ContentType, schemas: ModelSchemas, action: 'create' | 'update'): ApiBody {
  const data = schemas.input(type.uid, action)
  const media = [...type.attributes.values()].filter(
    (attribute) =>
      attribute.kind === 'relation' &&
      attribute.typeName === 'media' &&
      schemas.isWritable(attribute, type, action),
  )
  const schema: JsonSchema = { type: 'object', required: ['data'], properties: { data } }
  return {
    content: {
      'application/json': { schema },
      ...(media.length > 0 && {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['data'],
            properties: {
              data: {
                type: 'string',
                contentMediaType: 'application/json',
                description: 'The attributes, as JSON.',
              },
              ...Object.fromEntries(
                media.map(({ name }) => [`files.${name}`, { type: 'string', format: 'binary' }]),
              ),
            },
          },
        },
      }),
    },
  }
}

const ids: JsonSchema = { type: 'array', items: { type: 'integer' } }

function bulk(
  { uid }: ContentType,
  schemas: ModelSchemas,
  isPermitted: (action: ContentAction) => boolean,
): Pick<ApiOperation, 'description' | 'body' | 'responses'> {
  return {
    description: 'Creates, then updates, then deletes entries, in one transaction.',
    body: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              ...(isPermitted('create') && {
                create: { type: 'array', items: schemas.input(uid, 'create') },
              }),
              ...(isPermitted('update') && {
                update: {
                  type: 'array',
                  items: {
                    allOf: [
                      schemas.input(uid, 'update'),
                      { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
                    ],
                  },
                },
              }),
              ...(isPermitted('delete') && { delete: ids }),
            },
          },
        },
      },
    },
    responses: {
      200: {
        description: 'The ids of the written entries, in the order of the request.',
        schema: {
          type: 'object',
          required: ['data', 'meta'],
          properties: {
            data: {
              type: 'object',
              required: ['created', 'updated', 'deleted'],
              properties: { created: ids, updated: ids, deleted: ids },
            },
            meta: anyObject,
          },
        },
      },
    },
  }
}
