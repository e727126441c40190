/** Errors in answers of GraphQL. */
import { type Logger, OctavoError } from '@octavo/core'
import { failedParts } from '@octavo/core/internal'
import type { GraphQLError } from 'graphql'
import { problem } from './problems.ts'

export interface AnswerError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly extensions: Readonly<Record<string, unknown>>
}

/** Codes by the name of an error, as the reference has them; others are `STRAPI_` with the name. */
const codes: Readonly<Record<string, string>> = {
  ValidationError: 'BAD_USER_INPUT',
  ForbiddenError: 'FORBIDDEN',
  UnauthorizedError: 'UNAUTHENTICATED',
  InternalServerError: 'INTERNAL_SERVER_ERROR',
}

/** `NotFoundError` → `STRAPI_NOT_FOUND_ERROR` */
const codeOf = (name: string): string =>
  codes[name] ?? `STRAPI_${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}`

/**
 * An error of a field, with that of REST in `extensions.error`. Like the reference it has no path; `extensions.field` has the
 * key of the root field.
 */
export function fieldError(error: unknown, field: string, logger: Logger): AnswerError {
  if (error instanceof OctavoError && error.status < 500) return answerOf(error, field)
  if (error instanceof OctavoError && error.status === 503) {
    const { name, message, details, code } = error
    return {
      message,
      extensions: {
        code: 'SERVICE_UNAVAILABLE',
        field,
        error: { name, message, details: { ...details, code } },
      },
    }
  }
  logger.error(
    { err: error instanceof Error ? error : new Error(String(error)), field, ...failedParts(error) },
    'A field of GraphQL failed',
  )
  return { message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR', field } }
}

const answerOf = ({ name, message, details, code }: OctavoError, field: string): AnswerError => ({
  message,
  ...(withPath.has(code) && { path: [field] }),
  extensions: { code: codeOf(name), field, error: { name, message, details: { ...details, code } } },
})

/**
 * Errors with their path: one that the reference answers with it (recorded exchange filters-109), and that of a value in an answer
 * which has others.
 */
const withPath: ReadonlySet<string> = new Set(['graphql/bad-operator', 'graphql/hidden-value'])

/** The error of a value that the schema requires and that the caller may not read. @param value `Article.title` */
export const hiddenError = (value: string, field: string): AnswerError =>
  answerOf(problem('graphql/hidden-value', { value }), field)

/** The error of a value that the schema requires and that an entry lacks, in the words of the reference. */
export const absentError = (value: string, field: string): AnswerError => ({
  message: `Cannot return null for non-nullable field ${value}.`,
  path: [field],
  extensions: { code: 'INTERNAL_SERVER_ERROR', field },
})

/** The answer of a route that deletes; `undefined` for what does not exist, which is no error in GraphQL. */
export async function existing(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof OctavoError && error.status === 404) return undefined
    throw error
  }
}

/** A refusal of the whole request. */
export class RequestRefusal extends Error {
  readonly status: number
  readonly errors: readonly AnswerError[]

  constructor(status: number, errors: readonly AnswerError[]) {
    super(errors[0]?.message ?? '')
    this.status = status
    this.errors = errors
  }
}

/** A refusal with the errors of the library, which have their places in the query. */
export const refusalOf = (code: string, errors: readonly GraphQLError[]): RequestRefusal =>
  new RequestRefusal(
    400,
    errors.map(({ message, locations }) => ({
      message,
      ...(locations && { locations }),
      extensions: { code },
    })),
  )

export const refusal = (status: number, code: string, message: string): RequestRefusal =>
  new RequestRefusal(status, [{ message, extensions: { code } }])
