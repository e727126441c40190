import type { ContentType } from '@octavo/core/plugin'
import type { ApiParameter } from '@octavo/server'
import type { ModelSchemas } from '../schemas/model-schemas.ts'

/** The parameters that select the content of entries in a response. */
export function selection(type: ContentType, schemas: ModelSchemas): readonly ApiParameter[] {
  const { fields, populate } = schemas.selectable(type)
  return [
    {
      name: 'fields',
      description: 'The attributes in the answer; the id is always there. Default: all.',
      schema: { type: 'array', items: { enum: ['id', ...fields, '*'] } },
    },
    ...(populate.length === 0 ? [] : [populateOf(populate, schemas)]),
  ]
}

function populateOf(names: readonly string[], schemas: ModelSchemas): ApiParameter {
  const value = schemas.named('Populate')
  return {
    name: 'populate',
    style: 'deepObject',
    description:
      'Relations, media, components and zones in the answer: `populate=*` for all of them, `populate[0]=name`, or `populate[name][fields][0]=…` with a query of their own.',
    schema: {
      anyOf: [
        { type: 'string', examples: ['*'] },
        { type: 'array', items: { type: 'string' } },
        {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, value])),
          ...schemas.closed,
        },
      ],
    },
  }
}

/** The parameters of a list. */
export function listParameters(type: ContentType, schemas: ModelSchemas): readonly ApiParameter[] {
  const [field = 'id'] = schemas.selectable(type).fields
  const value = type.attributes.get(field)?.definition.example
  return [
    {
      name: 'filters',
      style: 'deepObject',
      description:
        'Conditions, all of which must hold: `filters[title][$eq]=Emma`, through relations `filters[author][name][$contains]=a`.',
      // Wrapped, since Scalar would write the parameters of a recursive schema one by one, without end.
      schema: { anyOf: [schemas.filters(type.uid)] },
      // Sent by "Test Request", so it should find something.
      example: { [field]: value === undefined ? { $notNull: true } : { $eq: value } },
    },
    {
      name: 'sort',
      explode: false,
      description: 'Attributes, each with `:asc` or `:desc`, the most significant first. Default: by id.',
      schema: { type: 'array', items: { type: 'string', examples: [`${field}:desc`] } },
    },
    {
      name: 'pagination',
      style: 'deepObject',
      description:
        '`page` with `pageSize`, or `start` with `limit`, or `after` or `before` with `pageSize`. Default: the first page.',
      schema: {
        type: 'object',
        properties: {
          page: { type: 'integer', minimum: 1 },
          pageSize: { type: 'integer', minimum: 1 },
          start: { type: 'integer', minimum: 0 },
          limit: { type: 'integer', minimum: -1 },
          after: { type: 'string', description: 'A cursor, or empty for the first page with cursors.' },
          before: { type: 'string' },
          withCount: { type: 'boolean' },
        },
        ...schemas.closed,
      },
      example: { page: 1, pageSize: 10 },
    },
    {
      name: '_q',
      description: 'A phrase that occurs in any text attribute, without regard to case.',
      schema: { type: 'string' },
    },
  ]
}
