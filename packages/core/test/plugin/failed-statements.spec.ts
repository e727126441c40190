/** Statements of plugins fail as those of core do: a condition of the database that passes is a 503, or the write is repeated. */

import { createOctavo, defineContentType, type Octavo, sql, unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const shelf = defineContentType({
  kind: 'collectionType',
  collectionName: 'shelves',
  info: { singularName: 'shelf', pluralName: 'shelves', displayName: 'Shelf' },
  attributes: { name: { type: 'string' } },
})

/** Raises the SQLSTATE that the name of a new entry has before its colon: once, or each time with `always`. */
let calls = 0
const raises = definePlugin({
  name: 'raises',
  setup(host) {
    host.hook('entry:beforeCreate', async ({ input, entries }) => {
      calls += 1
      const [state, times] = String(input.name).split(':')
      if (times === 'once' && calls > 1) return
      await entries.run(sql`select raised(${state ?? ''})`)
    })
  },
})

let octavo: Octavo
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  octavo = await createOctavo({ contentTypes: [shelf], database: database.url, plugins: [raises] })
  await octavo.store.query(
    `create function raised(state text) returns void language plpgsql as $$ begin raise exception using errcode = state; end $$`,
  )
  drop = async () => {
    await octavo.close()
    await database.drop()
  }
})
afterAll(() => drop?.())

const create = (name: string) => {
  calls = 0
  const type = octavo.registry.contentType('api::shelf.shelf')
  const state = unrestricted('creates shelves')
  return octavo.write({ type, action: 'create', input: { name }, query: '', state })
}
const stored = async (name: string) =>
  Number((await octavo.store.query('select count(*) from shelves where name = $1', [name]))[0]?.[0])

describe('a statement of a hook that fails', () => {
  it.each([
    ['57014', 'database/timeout'],
    ['57P01', 'database/unavailable'],
    ['53100', 'database/full'],
    ['25006', 'database/read-only'],
    ['40P01', 'database/busy'],
  ])('with %s is a 503: %s', async (state, code) => {
    await expect(create(`${state}:always`)).rejects.toMatchObject({ status: 503, code })
    expect(await stored(`${state}:always`)).toBe(0)
  })

  it.each(['40001', '40P01'])('with %s is repeated with its transaction', async (state) => {
    await create(`${state}:once`)
    expect(calls).toBe(2)
    expect(await stored(`${state}:once`)).toBe(1)
  })

  it('for another reason is an error of the plugin', async () => {
    const cause = expect.objectContaining({ code: '22012' })
    await expect(create('22012:always')).rejects.toMatchObject({
      name: 'PluginError',
      plugin: 'raises',
      cause,
    })
  })
})
