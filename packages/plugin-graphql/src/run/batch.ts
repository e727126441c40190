/** A batch is a list of operations in one request. Clients send one for the operations that a page starts at the same time. */
import type { RouteContext } from '@octavo/server'
import { refusal } from '../errors.ts'
import { Call, type CallParts } from './call.ts'
import type { Document } from './documents.ts'
import type { GraphqlRequest } from './http.ts'

/** Twice as many as Apollo Client sends by default. */
const maxOperations = 20

/** @throws RequestRefusal (400) for a list without operations, and for one that is too long */
export function checkBatch(operations: readonly unknown[]): void {
  if (operations.length === 0) throw refusal(400, 'BAD_REQUEST', 'A batch needs at least one operation.')
  if (operations.length > maxOperations)
    throw refusal(
      400,
      'BAD_REQUEST',
      `A batch has at most ${maxOperations} operations; this one has ${operations.length}.`,
    )
}

/** The bounds of a batch: all of its operations together may take as long, answer as many bytes and have as many characters as one may. */
export class Batch {
  /** Bounds the calls of the operations. */
  readonly call: Call
  readonly #length: number
  #characters = 0

  constructor(parts: CallParts, context: RouteContext) {
    const { statementTime, queryLength } = parts.octavo.limits
    this.call = new Call(parts, context, statementTime)
    this.#length = queryLength
  }

  /** Counts the text of an operation, before it is read. @throws RequestRefusal when all together are too long */
  count({ query }: GraphqlRequest): void {
    this.#characters += query.length
    if (this.#characters > this.#length)
      throw refusal(
        400,
        'GRAPHQL_PARSE_FAILED',
        `The queries of the batch have more than ${this.#length} characters together.`,
      )
  }

  /** @throws RequestRefusal for an introspection, because its cost is bounded for one operation only */
  admit({ asksForSchema }: Document): void {
    if (asksForSchema)
      throw refusal(
        400,
        'GRAPHQL_VALIDATION_FAILED',
        'The schema is asked for in a request of its own, not in a batch.',
      )
  }
}
