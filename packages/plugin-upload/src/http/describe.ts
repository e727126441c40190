import type { ApiDescription, ApiOperation, ApiSchemas, JsonSchema } from '@octavo/server'
import { fileUid } from '../content-type/file-type.ts'
import { folderOperations, folderSchemas } from './describe-folders.ts'

const tag = 'Files'

const infoOf = (focal: boolean): JsonSchema => ({
  type: 'object',
  properties: {
    name: { type: 'string' },
    alternativeText: { type: ['string', 'null'] },
    caption: { type: ['string', 'null'] },
    folder: {
      type: ['integer', 'null'],
      description: 'The folder that the file goes to, for callers who may list folders.',
    },
    ...(focal && {
      focalPoint: {
        description: 'Percent from the upper left.',
        type: ['object', 'null'],
        required: ['x', 'y'],
        properties: {
          x: { type: 'number', minimum: 0, maximum: 100 },
          y: { type: 'number', minimum: 0, maximum: 100 },
        },
      },
    }),
  },
})

/** The description of files: their records, uploads and addresses. */
export function describeFiles(schemas: ApiSchemas, focal: boolean): ApiDescription {
  const file = schemas.flat(fileUid)
  return {
    tags: { [tag]: 'Pictures and other files.' },
    schemas: { FileInfo: infoOf(focal), ...folderSchemas },
    operations: {
      ...uploadOperation(schemas, file),
      ...recordOperations(file),
      ...folderOperations(schemas, tag),
      ...readOperation,
    },
  }
}

type Operations = Record<string, ApiOperation>

const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

const uploadOperation = (schemas: ApiSchemas, file: JsonSchema): Operations => ({
  'POST /upload': {
    id: 'upload',
    tag,
    summary: 'Upload files, or change the record of one',
    query: [
      {
        name: 'id',
        description: 'The file to change or to replace.',
        schema: { type: 'integer', minimum: 1 },
      },
    ],
    body: {
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              files: { type: 'array', items: { type: 'string', format: 'binary' } },
              fileInfo: {
                description: 'JSON: an object, or with several files a list of one for each.',
                anyOf: [
                  schemas.named('FileInfo'),
                  { type: 'array', items: schemas.named('FileInfo') },
                  { type: 'string' },
                ],
              },
              ref: { type: 'string', description: 'The uid of the content-type to attach the files to.' },
              refId: { type: ['integer', 'string'], description: 'The id of the entry.' },
              field: { type: 'string', description: 'The media attribute.' },
            },
          },
          encoding: { fileInfo: { contentType: 'application/json' } },
        },
      },
    },
    responses: {
      200: {
        description: 'The records of the files; with `id` one record.',
        schema: { anyOf: [listOf(file), file] },
      },
    },
  },
})

const id: JsonSchema = { type: 'integer', minimum: 1 }
const text: JsonSchema = { type: 'string' }

/** An object that has all of its properties. */
const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

const place: JsonSchema = {
  description: 'The way from an attribute of the entry to the media attribute.',
  ...listOf(objectOf({ uid: text, attribute: text })),
}

const usedFile = objectOf({
  id,
  name: text,
  uses: listOf(
    objectOf({
      __type: { ...text, description: 'The uid of the content-type.' },
      id,
      attributes: {
        type: 'object',
        additionalProperties: true,
        description: 'The attributes that `entryFields` names.',
      },
      places: listOf(place),
    }),
  ),
  more: { type: 'boolean', description: 'Whether there are more than `uses` has.' },
})

const recordOperations = (file: JsonSchema): Operations => ({
  'GET /upload/files': {
    id: 'findFiles',
    tag,
    summary: 'List files',
    query: [
      {
        name: 'filters',
        style: 'deepObject',
        description: 'Conditions on attributes of files, as in lists of entries.',
        schema: { type: 'object', additionalProperties: true },
        example: { mime: { $startsWith: 'image/' } },
      },
      {
        name: 'sort',
        explode: false,
        description: 'Attributes, each with `:asc` or `:desc`.',
        schema: { type: 'array', items: { type: 'string' } },
      },
      { name: 'start', schema: { type: 'integer', minimum: 0 } },
      { name: 'limit', description: 'Default: all files.', schema: { type: 'integer' } },
    ],
    responses: { 200: { description: 'The records.', schema: listOf(file) } },
  },
  'GET /upload/uses': {
    id: 'findUses',
    tag,
    summary: 'List the entries that use files',
    description:
      'In attributes of their own, and in components and zones at any depth. `filters`, `sort`, `start` and `limit` choose files as `GET /upload/files` does. Of a file that very many entries use, the first 200 uses that are found are looked at, of many files fewer.',
    query: [
      {
        name: 'entryFields',
        description: 'Attributes of the entries, with commas between them. Default: none.',
        schema: { type: 'string' },
      },
      {
        name: 'uses',
        description: 'The greatest number of entries of each file.',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
    ],
    responses: { 200: { description: 'The files with their uses.', schema: listOf(usedFile) } },
  },
  'GET /upload/files/:id': {
    id: 'findOneFile',
    tag,
    summary: 'Read the record of a file',
    responses: { 200: { description: 'The record.', schema: file } },
  },
  'DELETE /upload/files/:id': {
    id: 'deleteFile',
    tag,
    summary: 'Delete a file',
    responses: { 200: { description: 'The deleted record.', schema: file } },
  },
})

const readOperation: Operations = {
  'GET /uploads/:name': {
    id: 'readFile',
    tag,
    summary: 'Read a file',
    description: 'At the address in `url` of its record.',
    responses: {
      200: {
        description: 'The file.',
        mediaType: 'application/octet-stream',
        schema: { type: 'string', format: 'binary' },
      },
    },
  },
}
