/** The time of an operation, over all of its root fields. */
import type { ReadRequest } from '@octavo/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
beforeAll(async () => {
  running = await recordedServer()
})
afterAll(() => running.close())

it('An operation whose reads never end is answered when its time is over', async () => {
  const { octavo } = running.server
  // The first request reads the locales.
  await ask(running.url, '{ __typename }')
  const limits = { ...octavo.limits, statementTime: 50, embeddedStatementTime: 50 }
  Object.defineProperty(octavo, 'limits', { value: limits })
  // Each ends with its signal only, so the test depends on no other time.
  Object.assign(octavo, {
    read: ({ signal }: ReadRequest) =>
      new Promise((_, reject) => {
        const end = () => reject(new Error('aborted'))
        if (signal?.aborted) end()
        else signal?.addEventListener('abort', end, { once: true })
      }),
  })
  const late = expect.objectContaining({
    error: expect.objectContaining({ details: { code: 'graphql/timeout' } }),
  })
  const batch = await fetch(`${running.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([1, 2].map(() => ({ query: '{ authors { data { id } } }' }))),
  })
  expect(await batch.json()).toEqual(
    [1, 2].map(() => ({ data: { authors: null }, errors: [expect.objectContaining({ extensions: late })] })),
  )
  const { status, body } = await ask(
    running.url,
    '{ one: authors { data { id } } other: authors { data { id } } }',
  )
  expect(status).toBe(200)
  expect(body.data).toEqual({ one: null, other: null })
  const errors: readonly unknown[] = body.errors
  expect(errors).toHaveLength(2)
  for (const field of ['one', 'other'])
    expect(errors).toContainEqual(
      expect.objectContaining({
        extensions: expect.objectContaining({
          code: 'SERVICE_UNAVAILABLE',
          field,
          error: expect.objectContaining({ details: { code: 'graphql/timeout' } }),
        }),
      }),
    )
})
