/** `amountLimit` and `defaultLimit` hold for root fields and for lists below them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type Loose, login, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
let token: string
beforeAll(async () => {
  running = await recordedServer({ amountLimit: 3, defaultLimit: 2 })
  token = await login(running.url)
})
afterAll(() => running.close())

it.each([
  ['', 2],
  ['(pagination: { limit: -1 })', 3],
  ['(pagination: { limit: 50 })', 3],
  ['(pagination: { page: 1, pageSize: 50 })', 3],
  ['(pagination: { limit: 1 })', 1],
])('A list with the arguments "%s" has at most %i entries', async (given, most) => {
  const list = `articles${given} { data { id } }`
  const query = `{ ${list} authors(pagination: { limit: 3 }) { data { attributes { ${list} } } } }`
  const { body } = await ask(running.url, query, { token })
  expect(body.data.articles.data).toHaveLength(most)
  const lengths = body.data.authors.data.map(({ attributes }: Loose) => attributes.articles.data.length)
  expect(Math.max(...lengths)).toBe(most)
})

it.each([
  ['page: 2147483647, pageSize: 3', 2_147_483_647],
  ['page: 2, pageSize: 50', 2],
  ['page: 0', 1],
  ['start: 4, limit: 2', 3],
  ['start: 2147483647, limit: 3', 715_827_883],
])('The meta of a list with { %s } has the page %i', async (given, page) => {
  const query = `{ articles(pagination: { ${given} }) { meta { pagination { page } } } }`
  const { body } = await ask(running.url, query, { token })
  expect(body.data.articles.meta.pagination).toEqual({ page })
})
