import type { JsonSchema } from '@octavo/server'

/** An object of any members. Without the second part, generated clients take it as one without members. */
export const anyObject: JsonSchema = { type: 'object', additionalProperties: true }

const id: JsonSchema = { type: 'integer', minimum: 1 }
const idInput: JsonSchema = { type: ['integer', 'string'], description: 'The id of an entry.' }

const oneOrMany = (schema: JsonSchema): JsonSchema => ({
  anyOf: [schema, { type: 'array', items: schema }],
})

const reference: JsonSchema = {
  anyOf: [idInput, { type: 'object', required: ['id'], properties: { id: idInput } }],
}

const connection: JsonSchema = {
  anyOf: [
    idInput,
    {
      type: 'object',
      required: ['id'],
      properties: {
        id: idInput,
        position: {
          type: 'object',
          description: 'The place among the related entries. Default: at the end.',
          properties: {
            before: idInput,
            after: idInput,
            start: { const: true },
            end: { const: true },
          },
        },
      },
    },
  ],
}

const counted = 'The number of related entries, with `populate[…][count]=true`.'
const count: JsonSchema = {
  type: 'object',
  required: ['count'],
  properties: { count: { type: 'integer', minimum: 0 } },
}

/** The schemas that other schemas refer to, by name. */
export const sharedSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'The answer of a request that failed.',
    required: ['data', 'error'],
    properties: {
      data: { type: 'null' },
      error: {
        type: 'object',
        required: ['status', 'name', 'message', 'details'],
        properties: {
          status: { type: 'integer', description: 'The HTTP status.', examples: [400] },
          name: { type: 'string', description: 'The kind of error.', examples: ['ValidationError'] },
          message: { type: 'string' },
          details: {
            type: 'object',
            required: ['code'],
            additionalProperties: true,
            properties: {
              code: {
                type: 'string',
                description: 'The error as a stable code.',
                examples: ['query/unknown-attribute'],
              },
              errors: {
                type: 'array',
                description: 'One element for each mistake.',
                items: {
                  type: 'object',
                  required: ['path', 'message', 'name'],
                  properties: {
                    path: { type: 'array', items: { type: 'string' } },
                    message: { type: 'string' },
                    name: { type: 'string' },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  Pagination: {
    type: 'object',
    description: 'By pages, by an offset, or by cursors, as in the request.',
    properties: {
      page: { type: 'integer' },
      pageSize: { type: 'integer' },
      pageCount: { type: 'integer' },
      start: { type: 'integer' },
      limit: { type: 'integer' },
      total: { type: 'integer', description: 'Absent with `pagination[withCount]=false`.' },
      estimated: { const: true, description: 'Whether the total is an estimate.' },
      cursors: {
        type: 'object',
        required: ['before', 'after'],
        properties: { before: { type: ['string', 'null'] }, after: { type: ['string', 'null'] } },
      },
    },
  },
  Count: {
    type: 'object',
    description: counted,
    required: ['attributes'],
    properties: { attributes: count },
  },
  FlatCount: { ...count, description: counted },
  RelationToOne: {
    description: 'The id of the related entry, or a change of the relation.',
    anyOf: [
      reference,
      { type: 'array', items: reference },
      { $ref: '#/components/schemas/RelationChange' },
      { type: 'null' },
    ],
  },
  RelationToMany: {
    description: 'The ids of all related entries, or a change of the relation.',
    anyOf: [
      reference,
      { type: 'array', items: reference },
      { $ref: '#/components/schemas/RelationChange' },
      { type: 'null' },
    ],
  },
  RelationChange: {
    type: 'object',
    properties: {
      connect: oneOrMany(connection),
      disconnect: oneOrMany(reference),
      set: { anyOf: [reference, { type: 'array', items: reference }, { type: 'null' }] },
      options: {
        type: 'object',
        properties: {
          strict: {
            type: 'boolean',
            description: 'Whether a position beside an entry that is not related is an error. Default true.',
          },
        },
      },
    },
  },
  Use: {
    description: 'An entry that uses another one, with its fields and populated parts, without envelopes.',
    type: 'object',
    required: ['__type', 'id'],
    properties: { __type: { type: 'string', description: 'The uid of the content-type.' }, id },
    additionalProperties: true,
  },
  RelationToAny: {
    description: 'Entries of any content-type, or a change of the relation.',
    anyOf: [
      oneOrMany({ $ref: '#/components/schemas/RelationReference' }),
      {
        type: 'object',
        properties: Object.fromEntries(
          ['connect', 'disconnect', 'set'].map((name) => [
            name,
            oneOrMany({ $ref: '#/components/schemas/RelationReference' }),
          ]),
        ),
      },
      { type: 'null' },
    ],
  },
  RelationReference: {
    type: 'object',
    required: ['id', 'type'],
    properties: {
      id: idInput,
      type: { type: 'string', description: 'The uid of the content-type.' },
      field: {
        type: 'string',
        description: 'The inverse attribute, where the content-type has more than one.',
      },
    },
  },
  Populate: {
    description: 'A relation, component or zone to populate, with the parameters of its own query.',
    anyOf: [
      { type: 'boolean' },
      { const: '*' },
      {
        type: 'object',
        properties: {
          fields: { type: 'array', items: { type: 'string' } },
          filters: anyObject,
          sort: { type: ['string', 'array'], items: { type: 'string' } },
          populate: {
            anyOf: [
              { type: 'string' },
              { type: 'array', items: { type: 'string' } },
              { type: 'object', additionalProperties: { $ref: '#/components/schemas/Populate' } },
            ],
          },
          start: { type: 'integer' },
          limit: { type: 'integer' },
          count: {
            type: 'boolean',
            description:
              'Answers the number of related entries instead of them, and `{ count }` in place of components, whose schemas leave this form out.',
          },
          on: {
            type: 'object',
            description: 'Of a zone: the components to populate, by uid.',
            additionalProperties: { $ref: '#/components/schemas/Populate' },
          },
        },
        additionalProperties: true,
      },
    ],
  },
}

export const entryId = id
