import type { ApiOperation, ApiSchemas, JsonSchema } from '@octavo/server'
import { operation } from './operation.ts'
import { object } from './schemas.ts'

const text: JsonSchema = { type: 'string' }
const flag: JsonSchema = { type: 'boolean' }

const layout: JsonSchema = object({
  mainField: { ...text, description: 'The attribute that labels an entry.' },
  list: object({
    columns: { type: 'array', minItems: 1, items: text },
    pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    sort: { ...text, description: 'As the parameter `sort`: `views:desc`.' },
    search: flag,
    filters: flag,
    select: flag,
  }),
  form: {
    type: 'array',
    description: 'Rows of the form, with widths in twelfths.',
    items: {
      type: 'array',
      items: object({ name: text, size: { type: 'integer', minimum: 1, maximum: 12 } }),
    },
  },
  fields: {
    type: 'object',
    additionalProperties: object(
      {
        label: text,
        description: text,
        placeholder: text,
        readOnly: flag,
        column: text,
        sortable: flag,
        mainField: text,
      },
      ['label'],
    ),
  },
})

const body = { type: text, name: text, query: text, shared: flag }
const view: JsonSchema = object({ id: { type: 'integer', minimum: 1 }, ...body, mine: flag })

/** Layouts of lists and forms, and saved views of lists. */
export function layoutOperations(schemas: ApiSchemas): Record<string, ApiOperation> {
  const tag = 'Desk: layouts'
  const ok = schemas.named('DeskOk')
  const input = object(body, ['type', 'name', 'query'])
  return {
    'GET /desk/api/layouts': operation(tag, {
      id: 'layouts',
      summary: 'Read all layouts, by uid',
      answer: { type: 'object', additionalProperties: layout },
    }),
    'GET /desk/api/layouts/:type': operation(tag, {
      id: 'layout',
      summary: 'Read the layout of a content-type or component',
      answer: layout,
    }),
    'PUT /desk/api/layouts/:type': operation(tag, {
      id: 'setLayout',
      summary: 'Change a layout',
      description: 'Needs the right `layouts`.',
      body: layout,
      answer: layout,
    }),
    'DELETE /desk/api/layouts/:type': operation(tag, {
      id: 'resetLayout',
      summary: 'Return to the usual layout',
      description: 'Needs the right `layouts`.',
      answer: ok,
    }),
    'GET /desk/api/views': operation(tag, {
      id: 'views',
      summary: 'List the own and the shared views',
      answer: { type: 'array', items: view },
    }),
    'POST /desk/api/views': operation(tag, {
      id: 'addView',
      summary: 'Save a view',
      description: 'A shared one needs the right `layouts`.',
      body: input,
      answer: view,
      status: 201,
    }),
    'PUT /desk/api/views/:id': operation(tag, {
      id: 'changeView',
      summary: 'Change a view',
      body: input,
      answer: view,
    }),
    'DELETE /desk/api/views/:id': operation(tag, {
      id: 'deleteView',
      summary: 'Delete a view',
      answer: ok,
    }),
  }
}
