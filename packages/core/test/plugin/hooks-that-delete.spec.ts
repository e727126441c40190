/** Hooks before an update that delete the entry: there is nothing left to update, and nothing is left behind. */
import { createOctavo, type Octavo, unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const state = unrestricted('writes pages')
const deletes = definePlugin({
  name: 'deletes',
  setup(host) {
    host.hook(
      'entry:beforeUpdate',
      async ({ id, type, input, entries }) => {
        if (id !== undefined && input.title === 'gone') await entries.delete(type.uid, id)
      },
      { types: ['api::page.page'] },
    )
    // An update of one page by a hook of another one.
    host.hook('entry:afterCreate', async ({ input, type, entries }) => {
      if (input.title === 'updates the first')
        await entries.update(type.uid, 1, { title: 'gone', parts: [{}] })
    })
  },
})

let octavo: Octavo
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  octavo = await createOctavo({
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'page', pluralName: 'pages' },
        attributes: {
          title: { type: 'string' },
          parts: { type: 'component', component: 'page.part', repeatable: true },
        },
      },
    ],
    components: [{ uid: 'page.part', attributes: { text: { type: 'string' } } }],
    plugins: [deletes],
    database: database.url,
  })
  drop = async () => {
    await octavo.close()
    await database.drop()
  }
  await octavo.entries('page', state).create({ title: 'first', parts: [{ text: 'a' }] } as never)
})
afterAll(() => drop())

const pages = () => octavo.entries('page', state)
const gone = { title: 'gone', parts: [{ text: 'b' }, { text: 'c' }] }

describe('An update whose entry a hook before it deletes', () => {
  it.each([
    ['of a caller', () => pages().update(1, gone as never)],
    [
      'of many entries',
      () => {
        const type = octavo.registry.contentType('api::page.page')
        return octavo.bulk({ type, create: [], update: [{ id: 1, ...gone }], delete: [], state })
      },
    ],
    ['of a plugin', () => pages().create({ title: 'updates the first' } as never)],
  ])('is refused as one of an entry that does not exist, %s, and writes nothing', async (_, write) => {
    await expect(write()).rejects.toMatchObject({ code: 'entry/not-found' })
    const { table } = octavo.registry.component('page.part')
    const parts = await octavo.store.query(`select "owner_id", "text" from "${table}"`)
    expect(parts.map((row) => row.join(' '))).toEqual(['1 a'])
    expect((await pages().findOne(1))?.attributes.title).toBe('first')
  })
})
