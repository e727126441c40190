import { createHash } from 'node:crypto'
import type { Repeatable, RequestState } from '@octavo/core'
import type { ParameterizedContext } from 'koa'
import { problem } from '../error/problems.ts'

export const keyHeader = 'Idempotency-Key'

/** Characters of a key, at most. */
const longest = 255

/**
 * The key of a request that its client may repeat, and a hash of its content; `undefined` without the header. The answer
 * repeats the header, so that a client knows that the server observes it.
 *
 * A key belongs to its caller. Anonymous callers share their keys, since the address of a client may change between two attempts.
 *
 * @param content The content to hash. It is only made for a request with the header.
 * @throws OctavoError 400 `request/bad-idempotency-key`
 */
export function repeatableOf(
  context: Pick<ParameterizedContext, 'get' | 'set' | 'method' | 'path' | 'querystring'>,
  state: RequestState,
  content: () => unknown,
): Repeatable | undefined {
  const key = context.get(keyHeader)
  if (key === '') return undefined
  if (key.length > longest) throw problem('request/bad-idempotency-key', { limit: longest })
  context.set(keyHeader, key)
  const caller = state.caller?.startsWith('address ') ? '' : (state.caller ?? '')
  const { method, path, querystring } = context
  return { key: hash([caller, key]), content: hash([method, path, querystring, content()]) }
}

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')
