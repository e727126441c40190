import {
  ClientClosedRequestError,
  type ErrorClass,
  type ErrorDetails,
  ForbiddenError,
  NotFoundError,
  type OctavoError,
  PaginationError,
  PayloadTooLargeError,
  ServiceUnavailableError,
  ValidationError,
} from './octavo-error.ts'

/**
 * Everything that can go wrong in a request, by code. A code never changes meaning and is never reused.
 * `at` is a place in the query string, such as `filters[author][name][$eq]`.
 */
export const problems = {
  'query/too-long': {
    error: PayloadTooLargeError,
    message: (d: { limit: number }) => `The query string is longer than ${d.limit} characters.`,
  },
  'query/too-many-parameters': {
    error: ValidationError,
    message: (d: { limit: number }) => `The query string has more than ${d.limit} parameters.`,
  },
  'query/too-deep': {
    error: ValidationError,
    message: (d: { limit: number }) => `The query string nests deeper than ${d.limit} brackets.`,
  },
  'query/malformed': {
    error: ValidationError,
    message: (d: { reason: string }) => `The query string cannot be read: ${d.reason}.`,
  },
  'query/list-too-long': {
    error: ValidationError,
    message: (d: { at: string; limit: number }) => `${d.at}: a list may have at most ${d.limit} elements.`,
  },
  'query/misplaced-paging': {
    error: PaginationError,
    message: (d: { name: string }) => `Invalid parameter "${d.name}": did you mean pagination[${d.name}]?`,
  },
  'query/mixed-paging': {
    error: ValidationError,
    message: (d: { at: string }) => `${d.at}: use page with pageSize, or start with limit, not both.`,
  },
  'query/bad-paging': {
    error: ValidationError,
    message: (d: { at: string; value: string; expected: string }) =>
      `${d.at}: expected ${d.expected}, not "${d.value}".`,
  },
  'query/bad-cursor': {
    error: ValidationError,
    message: (d: { at: string; reason: string }) => `${d.at}: ${d.reason}.`,
  },
  'query/bad-sort': {
    error: ValidationError,
    message: (d: { at: string; value: string }) =>
      `${d.at}: "${d.value}" is no sort term; write name, name:asc or name:desc.`,
  },
  'query/bad-fields': {
    error: ValidationError,
    message: (d: { at: string }) => `${d.at}: expected a name, a list of names or *.`,
  },
  'query/bad-populate': {
    error: ValidationError,
    message: (d: { at: string; reason: string }) => `${d.at}: ${d.reason}.`,
  },
  'query/populate-too-deep': {
    error: ValidationError,
    message: (d: { at: string; limit: number }) => `${d.at}: populate goes deeper than ${d.limit} levels.`,
  },
  'query/populate-too-large': {
    error: ValidationError,
    message: (d: { limit: number }) => `populate names more than ${d.limit} places in all.`,
  },
  'query/bad-filter': {
    error: ValidationError,
    message: (d: { at: string; reason: string }) => `${d.at}: ${d.reason}.`,
  },
  'query/filter-too-large': {
    error: ValidationError,
    message: (d: { limit: number }) => `filters hold more than ${d.limit} conditions in all.`,
  },
  'query/path-too-long': {
    error: ValidationError,
    message: (d: { at: string; limit: number; what: string }) =>
      `${d.at}: a path may go through at most ${d.limit} ${d.what}.`,
  },
  'query/too-many-steps': {
    error: ValidationError,
    message: (d: { limit: number }) =>
      `filters and sort go through more than ${d.limit} relations and components in all.`,
  },
  'query/unknown-operator': {
    error: ValidationError,
    message: (d: { at: string; operator: string; known: string }) =>
      `${d.at}: there is no operator "${d.operator}"; there are ${d.known}.`,
  },
  'query/bad-value': {
    error: ValidationError,
    message: (d: { at: string; value: string; expected: string }) =>
      `${d.at}: expected ${d.expected}, not "${d.value}".`,
  },
  'query/unknown-attribute': {
    error: ValidationError,
    message: (d: { at: string; attribute: string; type: string }) =>
      `${d.at}: ${d.type} has no attribute "${d.attribute}".`,
  },
  'query/not-usable': {
    error: ValidationError,
    message: (d: { at: string; attribute: string; reason: string }) =>
      `${d.at}: "${d.attribute}" ${d.reason}.`,
  },
  'query/bad-search': {
    error: ValidationError,
    message: (d: { at: string }) => `${d.at}: expected one text.`,
  },
  'query/search-too-long': {
    error: ValidationError,
    message: (d: { at: string; limit: number }) =>
      `${d.at}: a phrase may have at most ${d.limit} characters.`,
  },
  'query/unknown-parameter': {
    error: ValidationError,
    message: (d: { name: string; hint: string }) => `There is no parameter "${d.name}"${d.hint}`,
  },
  'query/foreign-parameter': {
    error: ValidationError,
    message: (d: { at: string; plugin: string; instead: string }) =>
      `${d.at}: this is a parameter of ${d.plugin}, which is not here; ${d.instead}.`,
  },
  'query/bad-parameter': {
    error: ValidationError,
    message: (d: { at: string; value: string; expected: string }) =>
      `${d.at}: expected ${d.expected}, not "${d.value}".`,
  },
  'query/too-dear': {
    error: ValidationError,
    message: (d: { at: string; price: number; limit: number }) =>
      `${d.at}: the database expects this to cost ${d.price} of at most ${d.limit}. Go through fewer relations, filter by more, or ask for a smaller page.`,
  },
  'query/answer-too-large': {
    error: PayloadTooLargeError,
    message: (d: { at: string; limit: number; unit: string }) =>
      `The answer would have more than ${d.limit} ${d.unit}, most of them in ${d.at}. Ask for a smaller page, for less to populate, or for part of a list (populate[name][limit]).`,
  },
  'entry/not-found': { error: NotFoundError, message: (_: Record<never, never>) => 'Not Found' },
  'entry/bulk-time': {
    error: PayloadTooLargeError,
    message: (d: { limit: number }) =>
      `The writes took longer than ${d.limit} ms, and nothing was written. Send fewer entries at once.`,
  },
  'entry/forbidden': { error: ForbiddenError, message: (_: Record<never, never>) => 'Forbidden' },
  'database/timeout': {
    error: ServiceUnavailableError,
    message: (d: { limit: number }) => `The database did not answer within ${d.limit} ms; ask for less.`,
  },
  'database/busy': {
    error: ServiceUnavailableError,
    message: (_: Record<never, never>) =>
      'Other writes were in the way, again and again; nothing was written. Try again.',
  },
  'database/overloaded': {
    error: ServiceUnavailableError,
    message: (_: Record<never, never>) =>
      'Other large requests are in the way. Ask for less, or try again later.',
  },
  'database/abandoned': {
    error: ClientClosedRequestError,
    message: (_: Record<never, never>) => 'The client has left; its statement was cancelled.',
  },
  'database/unavailable': {
    error: ServiceUnavailableError,
    message: (_: Record<never, never>) => 'The database does not answer.',
  },
  'database/read-only': {
    error: ServiceUnavailableError,
    message: (_: Record<never, never>) => 'The database takes no writes at present.',
  },
  'database/full': {
    error: ServiceUnavailableError,
    message: (_: Record<never, never>) => 'The database has no room left; nothing was written.',
  },
  'database/out-of-resources': {
    error: ServiceUnavailableError,
    message: (_: Record<never, never>) => 'The database lacks memory or room for this request; ask for less.',
  },
  'database/too-many-connections': {
    error: ServiceUnavailableError,
    message: (_: Record<never, never>) => 'The database takes no further connections at present.',
  },
} as const satisfies Record<string, { error: ErrorClass; message: (details: never) => string }>

export type ProblemCode = keyof typeof problems
type DetailsOf<C extends ProblemCode> = Parameters<(typeof problems)[C]['message']>[0]

/**
 * The error for a code: `throw problem('query/unknown-attribute', { at, attribute, type })`.
 * @param extra what the envelope's `details` shall hold; `{}` when left out.
 */
export function problem<C extends ProblemCode>(
  code: C,
  details: DetailsOf<C>,
  extra?: ErrorDetails,
  cause?: unknown,
): OctavoError {
  const { error, message } = problems[code]
  // The table pairs each code with its own message type; TypeScript sees only the union here.
  return new error(code, (message as (d: DetailsOf<C>) => string)(details), extra ?? {}, cause)
}
