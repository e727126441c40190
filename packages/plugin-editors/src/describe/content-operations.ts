import type { ApiOperation, ApiSchemas, JsonSchema } from '@octavo/server'
import { operation } from './operation.ts'

const any: JsonSchema = { type: 'object', additionalProperties: true }
const asBelowApi =
  'Parameters, body and answer are those of the same path below the prefix of the content endpoints, with the rights of the editor.'

/** Content, files, and what one may do with an entry. */
export function contentOperations(schemas: ApiSchemas): Record<string, ApiOperation> {
  const tag = 'Desk: content'
  const content = (id: string, summary: string, body?: JsonSchema): ApiOperation =>
    operation(tag, { id, summary, description: asBelowApi, answer: any, ...(body && { body }) })
  return {
    'GET /desk/api/content/:type': content('find', 'List entries, or read a single type'),
    'POST /desk/api/content/:type': content('create', 'Create an entry', any),
    'PUT /desk/api/content/:type': content('updateSingle', 'Write a single type', any),
    'DELETE /desk/api/content/:type': content('deleteSingle', 'Delete a single type'),
    'GET /desk/api/content/:type/:id': content('findOne', 'Read an entry'),
    'PUT /desk/api/content/:type/:id': content('update', 'Update an entry', any),
    'DELETE /desk/api/content/:type/:id': content('delete', 'Delete an entry'),
    'POST /desk/api/content/:type/:id/:action': content(
      'localize',
      'Add a localization, or what a plugin adds',
      any,
    ),
    'POST /desk/api/content/:type/:id/:action/:more': content(
      'publish',
      'Publish or unpublish an entry',
      any,
    ),
    'GET /desk/api/may/:type': {
      ...operation(tag, {
        id: 'mayOfSeveral',
        summary: 'What one may do with several entries',
        description: 'By id, without the entries that one may not read.',
        answer: { type: 'object', additionalProperties: schemas.named('DeskMay') },
      }),
      query: [
        {
          name: 'ids',
          description: 'From 1 to 100 ids, separated by commas.',
          required: true,
          explode: false,
          schema: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'integer', minimum: 1 } },
        },
      ],
    },
    'GET /desk/api/may/:type/:id': operation(tag, {
      id: 'may',
      summary: 'What one may do with an entry',
      description: '404 for an entry that one may not read.',
      answer: schemas.named('DeskMay'),
    }),
    'GET /desk/api/files': content('files', 'List files'),
    'POST /desk/api/files': {
      ...content('upload', 'Upload files, or replace or rename the one of `id`'),
      query: [{ name: 'id', description: 'The file to change.', schema: { type: 'integer', minimum: 1 } }],
      body: { content: { 'multipart/form-data': { schema: any } } },
    },
    'GET /desk/api/files/:id': content('file', 'Read a file'),
    'GET /desk/api/uses': content('uses', 'List the entries that use files'),
    'GET /desk/api/folders': {
      ...content('folders', 'List the folders of files'),
      query: [
        {
          name: 'fields',
          description: 'The only fields that each folder has beside its id: `name,parent`. Default: all.',
          schema: { type: 'string' },
        },
      ],
    },
    'POST /desk/api/folders': content('createFolder', 'Make a folder', any),
    'GET /desk/api/folders/:id': content('folder', 'Read a folder'),
    'PUT /desk/api/folders/:id': content('changeFolder', 'Rename or move a folder', any),
    'DELETE /desk/api/folders/:id': content('deleteFolder', 'Delete a folder'),
    'POST /desk/api/folders/:id': content(
      'moveFiles',
      'Move files and folders: `/desk/api/folders/move`',
      any,
    ),
    'GET /desk/api/model': operation(tag, {
      id: 'model',
      summary: 'Read the definitions of the content',
      description: 'The content-types on which one has any right, the components in them, and the locales.',
      answer: any,
    }),
    'DELETE /desk/api/files/:id': content('deleteFile', 'Delete a file'),
  }
}
