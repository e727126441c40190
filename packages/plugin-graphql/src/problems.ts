import {
  ForbiddenError,
  PaginationError,
  PayloadTooLargeError,
  ServiceUnavailableError,
  ValidationError,
} from '@octavo/core'
import { defineProblems } from '@octavo/core/plugin'

/** The errors of GraphQL requests that no other part of the server has. */
export const problem = defineProblems({
  'graphql/mixed-paging': {
    error: PaginationError,
    message: 'Use page with pageSize, or start with limit, not both.',
  },
  'graphql/bad-operator': {
    error: ValidationError,
    message: ({ at, operator }: { at: string; operator: string }) =>
      `${at}: ${operator} joins filters on entries, not on a value; use { ${operator}: [{ … }, { … }] } around it, or in.`,
    example: { at: 'filters.title', operator: 'or' },
  },
  'graphql/bad-id': {
    error: ValidationError,
    message: ({ id }: { id: string }) => `id: "${id}" is not an id.`,
    example: { id: 'x' },
  },
  'graphql/too-many-places': {
    error: ValidationError,
    message: ({ limit }: { limit: number }) =>
      `The operation selects more than ${limit} relations, components and zone items in all.`,
    example: { limit: 500 },
  },
  'graphql/too-many-arguments': {
    error: ValidationError,
    message: ({ limit }: { limit: number }) =>
      `The filters, sorts and pages of the operation's fields have more than ${limit} parts together.`,
    example: { limit: 500 },
  },
  'graphql/timeout': {
    error: ServiceUnavailableError,
    message: 'The operation took too long. Request fewer fields or smaller pages.',
  },
  'graphql/answer-too-large': {
    error: PayloadTooLargeError,
    message: ({ limit }: { limit: number }) =>
      `The answers of the operation's fields have more than ${limit} bytes together.`,
    example: { limit: 33_554_432 },
  },
  'graphql/not-available': {
    error: ForbiddenError,
    message: 'Forbidden access',
  },
  'graphql/hidden-value': {
    error: ForbiddenError,
    message: ({ value }: { value: string }) =>
      `You may not read ${value}, and the schema does not allow null for it, so the object around it is null.`,
    example: { value: 'Article.title' },
  },
  'graphql/provider': {
    error: ValidationError,
    message: 'A login with a provider begins at GET /api/connect/:provider.',
  },
  'graphql/used-file': {
    error: ValidationError,
    message: ({ name }: { name: string }) =>
      `The operation uses the file "${name}" twice. Give each use a variable, and list the places of all in \`map\`.`,
    example: { name: 'cover.png' },
  },
  'graphql/form': {
    error: ValidationError,
    message:
      'A request is JSON (Content-Type: application/json), or multipart with Authorization or apollo-require-preflight.',
  },
})
