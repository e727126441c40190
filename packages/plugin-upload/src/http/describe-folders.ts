import type { ApiOperation, ApiSchemas, JsonSchema } from '@octavo/server'

const id: JsonSchema = { type: 'integer', minimum: 1 }
const orRoot: JsonSchema = { type: ['integer', 'null'], minimum: 1 }
const ids: JsonSchema = { type: 'array', items: id }

const folder: JsonSchema = {
  type: 'object',
  required: ['id', 'name', 'parent', 'path', 'createdAt', 'updatedAt'],
  properties: {
    id,
    name: { type: 'string' },
    parent: { ...orRoot, description: 'The folder that it is in; null at the root.' },
    path: { type: 'string', description: 'The ids from the root.', examples: ['/3/17'] },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
  },
}

export const folderSchemas = {
  Folder: folder,
  FolderInput: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 255 }, parent: orRoot },
  },
  FolderMove: {
    type: 'object',
    required: ['to'],
    properties: { files: ids, folders: ids, to: orRoot },
  },
} satisfies Record<string, JsonSchema>

/** The description of the routes of folders. */
export function folderOperations(schemas: ApiSchemas, tag: string): Record<string, ApiOperation> {
  const one = (description: string) => ({ 200: { description, schema: schemas.named('Folder') } })
  const body = (name: string) => ({ content: { 'application/json': { schema: schemas.named(name) } } })
  return {
    'GET /upload/folders': {
      id: 'findFolders',
      tag,
      summary: 'List the folders of files',
      query: [
        {
          name: 'fields',
          description: 'The only fields that each folder has beside its id: `name,parent`. Default: all.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: {
          description: 'All folders, by name.',
          schema: { type: 'array', items: schemas.named('Folder') },
        },
      },
    },
    'GET /upload/folders/:id': {
      id: 'findOneFolder',
      tag,
      summary: 'Read a folder',
      responses: one('The folder.'),
    },
    'POST /upload/folders': {
      id: 'createFolder',
      tag,
      summary: 'Create a folder',
      body: body('FolderInput'),
      responses: one('The folder.'),
    },
    'PUT /upload/folders/:id': {
      id: 'updateFolder',
      tag,
      summary: 'Rename a folder, or move it with all that is in it',
      body: body('FolderInput'),
      responses: one('The folder.'),
    },
    'DELETE /upload/folders/:id': {
      id: 'deleteFolder',
      tag,
      summary: 'Delete a folder with the folders and files in it',
      responses: one('The deleted folder.'),
    },
    'POST /upload/folders/move': {
      id: 'moveFiles',
      tag,
      summary: 'Move files and folders',
      body: body('FolderMove'),
      responses: {
        200: { description: 'The moved files and folders.', schema: schemas.named('FolderMove') },
      },
    },
  }
}
