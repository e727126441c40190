/** Hundreds of thousands of deliveries are left where a receiver is away for days; here tens of thousands, which are several batches of the upkeep. */
import { webhooks } from '@octavo/plugin-webhooks'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startReceiver } from './receiver.ts'
import { article, hookTo } from './site.ts'

// Tens of thousands of rows take a busy machine a while.
const waiting = 180_000
vi.setConfig({ testTimeout: 2 * waiting })

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/**
 * A server that does not listen yet, with the webhooks `site` and `away`, where each statement that changes deliveries leaves a row in
 * `statements`: how many deliveries it changed, and whether one to `site` had been claimed before.
 */
async function site() {
  const to = await startReceiver()
  closing.push(to.close)
  const database = await createTestDatabase()
  const hook = { ...hookTo(to.url), events: ['entry.create'] as const }
  const server = await createServer({
    contentTypes: [article],
    plugins: [
      webhooks({ webhooks: [hook, { ...hook, name: 'away', events: [] }], queue: 3, log: 5, poll: 20 }),
    ],
    database: database.url,
    access: 'open',
  })
  closing.push(async () => {
    await server.close()
    await database.drop()
  })
  const { store } = server.octavo
  await store.query('create table statements (changed int, site_claimed boolean)')
  await store.query(`create function note() returns trigger language plpgsql as $$ begin
    insert into statements select (select count(*) from changed),
      exists (select from octavo_webhook_deliveries where webhook = 'site' and (attempts > 0 or due is null)); return null; end $$`)
  await store.query(
    'create trigger note after update on octavo_webhook_deliveries referencing new table as changed for each statement execute function note()',
  )
  await store.query(
    'create trigger gone after delete on octavo_webhook_deliveries referencing old table as changed for each statement execute function note()',
  )
  const add = (count: number, webhook: string, state: 'pending' | 'failed') =>
    store.query(
      `insert into octavo_webhook_deliveries (message, webhook, event, body, state, attempts, due, created_at)
      select 'msg_' || n, '${webhook}', 'entry.create', '{}', '${state}', 0, ${state === 'pending' ? 'now()' : 'null'}, now() from generate_series(1, ${count}) n`,
    )
  const count = async (where: string): Promise<number> =>
    Number((await store.query(`select count(*)::text from octavo_webhook_deliveries where ${where}`))[0]?.[0])
  const statements = async () =>
    (await store.query('select changed::text, site_claimed::text from statements where changed > 0')).map(
      ([changed, siteClaimed]) => ({ changed: Number(changed), isSiteClaimed: siteClaimed === 'true' }),
    )
  return { server, add, count, statements }
}

describe('A backlog of tens of thousands of deliveries', () => {
  it('is given up and deleted in batches, between which other webhooks get theirs', async () => {
    const { server, add, count, statements } = await site()
    await add(25_000, 'away', 'pending')
    await server.octavo.entries('article').create({ title: 'First' })
    await server.listen(0, '127.0.0.1')
    await vi.waitFor(
      async () => expect([await count('due is not null'), await count('due is null')]).toEqual([0, 5]),
      waiting,
    )
    const changes = await statements()
    expect(Math.max(...changes.map(({ changed }) => changed))).toBe(10_000)
    const givenUp = changes.filter(({ changed }) => changed > 1_000)
    expect(givenUp.length).toBeGreaterThan(2)
    expect(givenUp.at(-1)?.isSiteClaimed).toBe(true)
  })

  it.each([
    ['finished ones', 'site', 'failed', 5],
    ['those of a deleted webhook', '#7', 'pending', 0],
  ] as const)('is deleted in batches: %s', async (_what, webhook, state, left) => {
    const { server, add, count, statements } = await site()
    await add(25_000, webhook, state)
    await server.listen(0, '127.0.0.1')
    await vi.waitFor(async () => expect(await count('true')).toBe(left), waiting)
    expect(Math.max(...(await statements()).map(({ changed }) => changed))).toBe(10_000)
  })
})
