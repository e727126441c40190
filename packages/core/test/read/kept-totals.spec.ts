/** `options.totals: 'kept'`: the database stores the number of entries, for writes of any program. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOctavo, defineContentType, type Octavo } from '@octavo/core'
import { checkDefinitions } from '@octavo/core/internal'
import { compare, definePlugin, now } from '@octavo/core/plugin'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkTotals } from '../../src/schema/totals/check-totals.ts'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const statuses = ['new', 'old', 'odd'] as const
const item = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'item', pluralName: 'items' },
  options: { totals: 'kept' },
  attributes: {
    n: { type: 'integer', unique: true },
    status: { type: 'enumeration', enum: statuses, countedBy: 'value' },
    due: { type: 'datetime', countedBy: 'presence' },
  },
})

const task = defineContentType({
  ...item,
  info: { singularName: 'task', pluralName: 'tasks' },
})
/** Shows tasks that are due only, as drafts with a schedule do. */
const due = definePlugin({
  name: 'due',
  setup(host) {
    host.hook('query:node', ({ model }) => {
      const attribute = model.attributes.get('due')
      return model.uid === 'api::task.task' && attribute?.kind === 'scalar'
        ? compare(attribute, '$lte', now)
        : undefined
    })
  },
})

let database: TestDatabase
let octavo: Octavo
beforeAll(async () => {
  database = await createTestDatabase()
  octavo = await createOctavo({ contentTypes: [item, task], plugins: [due], database: database.url })
})
afterAll(async () => {
  await octavo.close()
  await database.drop()
})

const total = async (filters: object = {}): Promise<number | undefined> => {
  const { pagination } = await octavo.entries('item').find({ filters, pagination: { pageSize: 1 } })
  return pagination.total
}
const counted = async (condition: string): Promise<number> => {
  const [row] = await octavo.store.query(`select count(*) from items where ${condition}`)
  return Number(row?.[0])
}

/** Lists whose totals are kept, with their conditions. */
const lists: readonly (readonly [object, string])[] = [
  [{}, 'true'],
  [{ status: 'new' }, `status = 'new'`],
  [{ status: { $in: ['new', 'old'] } }, `status in ('new', 'old')`],
  [{ status: { $null: true } }, 'status is null'],
  [{ due: { $notNull: true } }, 'due is not null'],
  [{ due: { $null: true }, status: { $notNull: true } }, 'due is null and status is not null'],
]

async function expectKept(): Promise<void> {
  for (const [filters, condition] of lists) expect(await total(filters)).toBe(await counted(condition))
  expect(await checkTotals(octavo.store, octavo.registry)).toEqual([])
}

const status = fc.constantFrom(...statuses, null)
const dueOf = fc.constantFrom('2020-01-01T00:00:00Z', null)
/** Statements from outside: of one row, of many, of none, and of rows that are there already. */
const writes = fc.oneof(
  fc.record({ of: fc.constant('create' as const), status, due: dueOf }),
  fc.record({ of: fc.constant('update' as const), status, due: dueOf }),
  fc.record({ of: fc.constant('delete' as const) }),
  fc.constantFrom(
    `insert into items (n, status) select -g, 'odd' from generate_series(1, 40) g on conflict (n) do nothing`,
    `insert into items (n, status) values (-1, 'new') on conflict (n) do update set status = 'old'`,
    `update items set status = 'new' where id % 3 = 0`,
    `update items set due = now() where id % 2 = 0`,
    'update items set n = null where id % 5 = 0',
    'delete from items where id % 7 = 0',
    'delete from items where false',
    'truncate items',
    // Rolled back to the savepoint that a block with `exception` begins with.
    `do $$ begin insert into items (status) values ('new'); delete from items; raise exception 'undone'; exception when others then null; end $$`,
    `do $$ begin insert into items (status) values ('new'); begin delete from items; raise exception 'undone'; exception when others then null; end; end $$`,
  ),
)

describe('a kept total', () => {
  it('is the number of entries after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(writes, { maxLength: 12 }), async (list) => {
        const items = octavo.entries('item')
        for (const write of list) {
          if (typeof write === 'string') {
            await octavo.store.query(write)
          } else if (write.of === 'create') {
            await items.create({ data: { status: write.status, due: write.due } })
          } else {
            const [some] = (await items.find({ sort: 'id:desc' })).data
            if (!some) continue
            if (write.of === 'delete') await items.delete(Number(some.id))
            else await items.update(Number(some.id), { data: { status: write.status, due: write.due } })
          }
        }
        await expectKept()
      }),
      { numRuns: 30 },
    )
  })

  it('is folded, so that it stays a sum of few rows', async () => {
    await octavo.store.query(
      `do $$ begin for i in 1..2000 loop insert into items (status) values ('new'); end loop; end $$`,
    )
    const [row] = await octavo.store.query('select count(*) from octavo_totals')
    expect(Number(row?.[0])).toBeLessThan(600)
    await expectKept()
  })

  it('leaves out entries with a future time, where a plugin narrows to past ones', async () => {
    await octavo.store.query(
      `insert into tasks (status, due) values ('new', now() - interval '1 day'), ('new', now() + interval '1 day'), ('old', null)`,
    )
    const totals = async (filters: object) =>
      (await octavo.entries('task').find({ filters, pagination: { pageSize: 1 } })).pagination.total
    expect(await totals({})).toBe(1)
    expect(await totals({ status: 'new' })).toBe(1)
    expect(await totals({ status: 'old' })).toBe(0)
  })

  it.skipIf(testEngine() === 'pglite')(
    'stays right when a snapshot older than other writes empties the table',
    async () => {
      const { store } = octavo
      const emptied = store.transaction(async (tx) => {
        await tx.query('set transaction isolation level repeatable read')
        await tx.query('select 1 from items limit 1')
        // Not in the snapshot, but removed by the truncate.
        await store.query(`insert into items (status) values ('new'), ('new')`)
        await tx.query('truncate items')
      })
      await emptied.catch((error: Error) => expect(error.message).toContain('read committed'))
      const [kept] = await store.query(
        `select coalesce(sum(delta), 0) from octavo_totals where "table" = 'items'`,
      )
      expect(Number(kept?.[0])).toBe(await counted('true'))
    },
  )

  it('is used only for lists that its parts divide', async () => {
    await octavo.store.query('truncate items')
    await octavo.store.query(`insert into items (n, status) values (1, 'new'), (2, 'new'), (3, 'old')`)
    // A wrong delta shows which totals are stored ones.
    await octavo.store.query(
      `insert into octavo_totals ("table", scope, delta) values ('items', '["new", "false"]', 100)`,
    )
    expect(await total()).toBe(103)
    expect(await total({ status: 'new' })).toBe(102)
    expect(await total({ status: { $ne: 'old' } })).toBe(2)
    expect(await total({ n: { $gt: 0 } })).toBe(3)
    expect(await total({ $or: [{ status: 'new' }, { status: 'old' }] })).toBe(3)
  })

  it('is compared with the rows, and repaired', async () => {
    const differing = { uid: 'api::item.item', scope: '["new", "false"]', kept: 102, counted: 2 }
    expect(await checkTotals(octavo.store, octavo.registry)).toEqual([differing])
    expect(await checkTotals(octavo.store, octavo.registry, { repair: true })).toEqual([differing])
    await expectKept()
  })
})

describe.runIf(testEngine() === 'postgresql')('with many writers', () => {
  it('is the number of entries in every snapshot', async () => {
    const writer = async (n: number): Promise<void> => {
      for (let i = 0; i < 60; i++) {
        await octavo.store.query(
          i % 3 === 0
            ? `update items set status = 'odd' where id % 11 = ${n}`
            : `insert into items (status) select 'new' from generate_series(1, ${1 + (i % 4)})`,
        )
        if (i % 7 === 0) await octavo.store.query(`delete from items where id % 13 = ${n}`)
      }
    }
    let isWriting = true
    const comparing = (async () => {
      while (isWriting) expect(await checkTotals(octavo.store, octavo.registry)).toEqual([])
    })()
    // Deadlocks between the writers' own updates are theirs; what counts is that totals stay exact.
    await Promise.allSettled(Array.from({ length: 6 }, (_, n) => writer(n)))
    isWriting = false
    await comparing
    await expectKept()
  })
})

describe('the start', () => {
  let own: TestDatabase
  let folder: string
  beforeAll(async () => {
    own = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'octavo-'))
  })
  afterAll(async () => {
    await own.drop()
    await rm(folder, { recursive: true })
  })
  const opened = (totals: 'kept' | 'counted', division?: 'value') =>
    createOctavo({
      contentTypes: [
        {
          ...item,
          options: { totals },
          attributes: { title: { type: 'string', ...(division && { countedBy: division }) } },
        },
      ],
      // A database in memory ends with its store.
      database: own.engine === 'pglite' ? `file:${folder}/database` : own.url,
    })
  const triggers = async ({ store }: Octavo) =>
    (await store.query(`select tgname from pg_trigger where tgname like 'octavo_totals%'`)).length
  const totalOf = async (octavo: Octavo, filters = {}) =>
    (await octavo.entries('item').find({ filters, pagination: { pageSize: 1 } })).pagination.total

  it('counts existing entries when totals become kept or are divided differently, and removes the counts when they are not', async () => {
    const counting = await opened('counted')
    await counting.store.query(`insert into items (title) values ('a'), ('b'), ('b')`)
    expect(await triggers(counting)).toBe(0)
    await counting.close()

    const keeping = await opened('kept')
    expect(await totalOf(keeping)).toBe(3)
    expect(await checkTotals(keeping.store, keeping.registry)).toEqual([])
    expect(await triggers(keeping)).toBe(3)
    await keeping.close()

    const divided = await opened('kept', 'value')
    await divided.store.query(`insert into items (title) values ('b')`)
    expect(await totalOf(divided, { title: 'b' })).toBe(3)
    expect(await checkTotals(divided.store, divided.registry)).toEqual([])
    expect(await triggers(divided)).toBe(4)
    await divided.close()

    const again = await opened('counted')
    expect(await triggers(again)).toBe(0)
    await again.store.query('delete from items')
    expect(await totalOf(again)).toBe(0)
    await again.close()
  })

  it.each([
    [{ totals: 'often' }, {}, /options\.totals.*must be "kept" or "counted", not "often"/],
    [{ totals: 'kept' }, { countedBy: 'name' }, /countedBy.*must be "value" or "presence"/],
    [{ totals: 'kept' }, { type: 'integer', countedBy: 'value' }, /"value" for texts and enumerations/],
  ])('refuses %j with %j', (options, attribute, message) => {
    const definition = {
      kind: 'collectionType' as const,
      info: { singularName: 'item', pluralName: 'items' },
      options: options as { totals: 'kept' },
      attributes: { title: { type: 'string', ...attribute } as { type: 'string' } },
    }
    expect(() => checkDefinitions({ contentTypes: [definition] })).toThrow(message)
  })
})
