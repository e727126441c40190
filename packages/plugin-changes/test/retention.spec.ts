import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changes } from '../src/index.ts'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ keep: 3 })
})
afterAll(() => site.close())

it('Changes above the number in keep are deleted, and a cursor whose change is one of them is refused with 410', async () => {
  const before = await site.cursor()
  await site.memos.create({ text: '1' })
  const first = await site.cursor()
  for (const text of ['2', '3']) await site.memos.create({ text })
  expect(await site.since('all', first)).toHaveLength(2)
  await site.memos.create({ text: '4' })
  const { status, body } = await site.get('all', before)
  expect([status, body.error.details.code]).toEqual([410, 'changes/unknown-cursor'])
  expect((await site.get('all', first)).status).toBe(410)
  expect(await site.since('all', await site.cursor())).toEqual([])
})

it('Changes without readers are deleted as well, when a server listens', async () => {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes: [
      { kind: 'collectionType', info: { singularName: 'memo', pluralName: 'memos' }, attributes: {} },
    ],
    plugins: [changes({ keep: 2 })],
    database: database.url,
  })
  const { store } = server.octavo
  try {
    for (let i = 0; i < 5; i++) await server.octavo.entries('memo').create({})
    await server.listen(0, '127.0.0.1')
    const [rows] = await store.query(
      'select (select count(*) from octavo_changes_inbox)::text, (select count(*) from octavo_changes)::text',
    )
    expect(rows).toEqual(['0', '2'])
  } finally {
    await server.close()
    await database.drop()
  }
})

it.each<[object, RegExp]>([
  [{ keep: 0 }, /keep.*1 to/],
  [{ pageSize: 1_000 }, /pageSize.*500/],
  [{ size: 1 }, /size/],
])('Options are checked: %o', async (options, message) => {
  await expect(openSite(options)).rejects.toThrow(message)
  expect(changes().name).toBe('changes')
})
