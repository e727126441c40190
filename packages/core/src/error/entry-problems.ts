import {
  ApplicationError,
  errorClass,
  ForbiddenError,
  NotFoundError,
  PayloadTooLargeError,
  ServiceUnavailableError,
  ValidationError,
} from '@octavo/database'

const UnprocessableEntityError = errorClass('UnprocessableEntityError', 422)

/** The mistake of a value that another entry has. */
export const notUnique = 'This attribute must be unique'

/** The problems of entries and of writing them. */
export const entryProblems = {
  'entry/not-found': {
    error: NotFoundError,
    message: (d: { message?: string }) => d.message ?? 'Not Found',
    example: {},
  },
  'entry/forbidden': { error: ForbiddenError, message: 'Forbidden' },
  'entry/second-single': {
    error: ValidationError,
    message: (d: { type: string; also?: string }) =>
      `${d.type} is a single type, which has one entry: update it instead of creating another one.${d.also ?? ''}`,
    when: 'a create of a single type that has its entry, by a program or a plugin',
  },
  'entry/no-id': {
    error: ValidationError,
    message: (d: { method: string; type: string; id: unknown }) =>
      d.method === 'bulk'
        ? `bulk needs the id of each entry of ${d.type} that it updates or deletes; one id is ${d.id}.`
        : `${d.method} needs the id of an entry, because ${d.type} is a collection type; the id is ${d.id}.`,
    when: 'a program that reads, updates or deletes an entry of a collection type by the id `undefined` or `null`, or writes an entry by such an id in bulk',
  },
  'entry/foreign-component': {
    error: ApplicationError,
    message: (d: { at: string }) =>
      `Some of the provided components in ${d.at} are not related to the entity`,
    when: 'the id of a component that belongs to another entry',
  },
  'entry/no-such-neighbour': {
    error: ValidationError,
    message: (d: { id: number; kind: 'before' | 'after'; beside: number }) =>
      `There was a problem connecting relation with id ${d.id} at position {"${d.kind}":${d.beside}}. The relation with id ${d.beside} needs to be connected first.`,
    when: 'a position beside an entry that is not in the relation',
  },
  'entry/key-reused': {
    error: UnprocessableEntityError,
    message: 'Another request has used this Idempotency-Key. Send a new key.',
    when: 'an `Idempotency-Key` of the last day, with another path, query or body',
  },
  'entry/answer-not-stored': {
    error: UnprocessableEntityError,
    message:
      'An earlier request with this Idempotency-Key was carried out, but its answer was too large to be stored. Read the entry instead.',
  },
  'entry/slow-regex': {
    error: ValidationError,
    message: (d: { regex: string }) =>
      `A text takes too long to check against ${d.regex}, and nothing was written.`,
    example: { regex: '/^(a+)+$/' },
    when: 'texts for which the `regex` of an attribute takes more than 100 ms in all; change the expression, or give the attribute a `maxLength`',
  },
  'entry/transaction-time': {
    error: ServiceUnavailableError,
    message: (d: { limit: number }) => `The write took longer than ${d.limit} ms; nothing was written.`,
    example: { limit: 60_000 },
    when: 'a hook of a plugin took longer than `limits.transactionTime`',
  },
  'entry/bulk-time': {
    error: PayloadTooLargeError,
    message: (d: { limit: number }) =>
      `The writes took longer than ${d.limit} ms, and nothing was written. Send fewer entries at once.`,
    example: { limit: 15_000 },
  },
}
