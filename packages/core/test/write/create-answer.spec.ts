import { createOctavo, defineContentType, type Octavo, unrestricted } from '@octavo/core'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const shelf = defineContentType({
  kind: 'collectionType',
  collectionName: 'shelves',
  info: { singularName: 'shelf', pluralName: 'shelves', displayName: 'Shelf' },
  attributes: { name: { type: 'string' } },
})
const state = unrestricted('creates shelves')

let octavo: Octavo
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  octavo = await createOctavo({ contentTypes: [shelf], database: database.url })
  drop = async () => {
    await octavo.close()
    await database.drop()
  }
})
afterAll(() => drop())

const create = async (name: string): Promise<unknown> => {
  const type = octavo.registry.contentType('api::shelf.shelf')
  const { data } = await octavo.write({
    type,
    action: 'create',
    input: { name },
    query: 'fields=name',
    state,
  })
  return JSON.parse(data ?? 'null')
}

it('the answer of a create is the created entry', async () => {
  expect(await create('one')).toMatchObject({ id: 1, attributes: { name: 'one' } })
  expect(await create('two')).toMatchObject({ id: 2, attributes: { name: 'two' } })
})

it('the answer of a create is the created entry where a trigger of the database inserts further rows', async () => {
  await octavo.store.query(`create function one_more() returns trigger language plpgsql as $$ begin
    if new.name = 'asked for' then insert into shelves (name) values ('one more'); end if; return null; end $$`)
  await octavo.store.query(
    'create trigger one_more after insert on shelves for each row execute function one_more()',
  )
  expect(await create('asked for')).toMatchObject({ id: 3, attributes: { name: 'asked for' } })
  expect(await octavo.store.query('select count(*) from shelves')).toEqual([['4']])
})

it('a create that fails leaves no row, and the next one succeeds', async () => {
  await octavo.store.query(`alter table shelves add constraint short check (length(name) < 20)`)
  await expect(create('a name of more than twenty letters')).rejects.toThrow()
  expect(await octavo.store.query(`select count(*) from shelves where name like 'a name%'`)).toEqual([['0']])
  expect(await create('short')).toMatchObject({ attributes: { name: 'short' } })
})
