/** Reads go to replicas as those of REST do. */
import type { ReadRequest } from '@octavo/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
beforeAll(async () => {
  running = await recordedServer()
})
afterAll(() => running.close())

it('A read follows the position of its session on replicas', async () => {
  const { octavo } = running.server
  // A cluster would take a minute to start; what a replica does with the position is tested in packages/server.
  Object.defineProperty(octavo.store, 'hasReplicas', { value: true })
  // The first request reads the locales.
  await ask(running.url, '{ __typename }')
  const asked: ReadRequest['replica'][] = []
  const read = octavo.read.bind(octavo)
  Object.assign(octavo, {
    read: ({ replica, ...request }: ReadRequest) => {
      asked.push(replica)
      return read(request)
    },
  })
  const query = '{ authors(pagination: { limit: 1 }) { data { id } } author(id: 1) { data { id } } }'
  const send = async (body: unknown): Promise<unknown> => {
    const response = await fetch(`${running.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-octavo-position': '0/16B3748' },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  expect(await send({ query })).toMatchObject({ data: { author: { data: { id: '1' } } } })
  expect(asked.splice(0)).toEqual([{ after: '0/16B3748' }, { after: '0/16B3748' }])
  // In a batch, reads behind a write see what it wrote.
  const one = { query: '{ author(id: 1) { data { id } } }' }
  await send([one, { query: 'mutation { __typename }' }, one])
  expect(asked).toEqual([{ after: '0/16B3748' }, undefined])
})
