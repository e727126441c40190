/** Writes that constraints and triggers refuse which others have added to the tables of content-types. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ api: { rest: { bulk: true } } })
  const { store } = site.server.octavo
  for (const statement of [
    `alter table articles add constraint secret_rule check (title <> 'checked')`,
    `alter table articles add constraint secret_period exclude using gist (int4range(views, views, '[]') with &&) where (title like 'excluded%')`,
    'alter table articles add column secret_shelf integer references authors (id)',
    'create table secret_orders (author integer references authors (id))',
    `create function secret_trigger() returns trigger language plpgsql as $$ begin
       if new.title = 'raised' then raise exception 'secret words'; end if;
       if new.title = 'shelved' then new.secret_shelf := 4711; end if;
       return new;
     end $$`,
    'create trigger secret before insert or update on articles for each row execute function secret_trigger()',
    'alter table authors add column secret_need integer not null default 1',
    `create function secret_null() returns trigger language plpgsql as $$ begin
       if new.name = 'nothing' then new.secret_need := null; end if;
       return new;
     end $$`,
    'create trigger secret before insert or update on authors for each row execute function secret_null()',
  ])
    await store.query(statement)
})
afterAll(() => site.close())

const createArticle = (data: object) => site.api.post('/api/articles', { body: { data } })
const entered = async (name: string): Promise<number> =>
  (await site.api.post('/api/authors', { body: { data: { name } } })).body.data.id

const refusals: readonly (readonly [
  string,
  string,
  () => Promise<{ readonly status: number; readonly text: string }>,
])[] = [
  ['a CHECK', 'constraint "secret_rule" of "articles"', () => createArticle({ title: 'checked' })],
  [
    'a CHECK in an update',
    'constraint "secret_rule" of "articles"',
    () => site.api.put('/api/articles/1', { body: { data: { title: 'checked' } } }),
  ],
  [
    'a CHECK in a bulk write',
    'constraint "secret_rule" of "articles"',
    () => site.api.post('/api/articles/actions/bulk', { body: { create: [{ title: 'checked' }] } }),
  ],
  [
    'an exclusion',
    'constraint "secret_period" of "articles"',
    async () => {
      await createArticle({ title: 'excluded once', views: 7 })
      return createArticle({ title: 'excluded twice', views: 7 })
    },
  ],
  [
    'a foreign key of a column that Octavo does not know',
    'constraint "articles_secret_shelf_fkey" of "articles"',
    () => createArticle({ title: 'shelved' }),
  ],
  [
    'a foreign key to an entry that is deleted',
    'constraint "secret_orders_author_fkey" of "secret_orders"',
    async () => {
      const id = await entered('ordered')
      await site.server.octavo.store.query('insert into secret_orders values ($1)', [id])
      return site.api.delete(`/api/authors/${id}`)
    },
  ],
  [
    'a column without a value',
    'column "secret_need" of "authors"',
    () => site.api.post('/api/authors', { body: { data: { name: 'nothing' } } }),
  ],
  ['a trigger', 'PL/pgSQL function secret_trigger() line', () => createArticle({ title: 'raised' })],
]

describe('a rule that another program has added to the database', () => {
  it.each(refusals)('answers %s with 400 and without its name, which the log has', async (_, name, write) => {
    const { status, text } = await write()
    expect([status, text]).toEqual([400, expect.not.stringContaining('secret')])
    expect(JSON.parse(text).error).toMatchObject({
      name: 'ValidationError',
      message: 'A rule that was added to the database refuses this write',
      details: { code: 'entry/invalid' },
    })
    const warnings = site.log.filter(({ level }) => level === 'warn').map(({ message }) => message)
    expect(warnings.filter((message) => message.includes(name))).toHaveLength(1)
    expect(JSON.stringify(site.log)).not.toContain('secret words')
  })
})
