/** Hooks that delete entries: of an update nothing is left to do, and nothing is left behind; a deletion happens once. */
import { createOctavo, type Octavo, unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const state = unrestricted('writes pages')
/** The replies whose deletion was announced. */
const deleted: unknown[] = []
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
    host.hook(
      'entry:input',
      async (input, { id, type, entries }) => {
        if (input.title === 'gone early' && id !== undefined) await entries.delete(type.uid, id)
        return input
      },
      { types: ['api::page.page'] },
    )
    // Replies are deleted with what they reply to, and the last one with its only reply.
    host.hook(
      'entry:afterDelete',
      async ({ id, type, entries }) => {
        const replies = await entries.rows(type).find({ where: { of: id }, select: ['id'] })
        for (const reply of replies) await entries.delete(type.uid, Number(reply.id))
      },
      { types: ['api::reply.reply'] },
    )
    host.hook(
      'entry:beforeDelete',
      async ({ id, type, entries }) => {
        const own = await entries.rows(type).first({ where: { id, text: 'with all' }, select: ['of'] })
        const first =
          own && (await entries.rows(type).first({ where: { id: Number(own.of) }, select: ['id'] }))
        if (first) await entries.delete(type.uid, Number(first.id))
      },
      { types: ['api::reply.reply'] },
    )
    // Some remain, as of a plugin that keeps what is deleted.
    host.hook(
      'entry:delete',
      async ({ id, type, entries }) => {
        const kept = await entries.rows(type).first({ where: { id, text: 'kept' }, select: ['of'] })
        return kept && { text: 'kept' }
      },
      { types: ['api::reply.reply'] },
    )
    host.hook('entry:committed', ({ action, id }) => void (action === 'delete' && deleted.push(id)), {
      types: ['api::reply.reply'],
    })
    host.hook(
      'entry:afterUpdate',
      async ({ id, type, input, entries }) => {
        if (id !== undefined && input.title === 'gone late') await entries.delete(type.uid, id)
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
      {
        kind: 'collectionType',
        info: { singularName: 'reply', pluralName: 'replies' },
        attributes: { text: { type: 'string' }, of: { type: 'integer' } },
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

describe('An update whose entry a hook deletes', () => {
  it.each([
    ['of a caller', () => pages().update(1, gone as never)],
    ['of a caller, by a hook behind it', () => pages().update(1, { ...gone, title: 'gone late' } as never)],
    [
      'of a caller, by a hook of its input',
      () => {
        const type = octavo.registry.contentType('api::page.page')
        return octavo.write({
          type,
          action: 'update',
          id: 1,
          input: { title: 'gone early' },
          query: '',
          state,
        })
      },
    ],
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

describe('An entry that a hook of a deletion deletes', () => {
  const replies = () => octavo.entries('reply', state)
  const create = async (of: number | null, text = 'text') =>
    (await replies().create({ text, of } as never)).id as number
  beforeEach(() => void deleted.splice(0))

  it('is deleted once when the bulk request has it as well', async () => {
    const first = await create(null)
    const second = await create(first)
    const type = octavo.registry.contentType('api::reply.reply')
    const ids = [first, second]
    expect((await octavo.bulk({ type, delete: ids, state })).deleted).toEqual(ids)
    expect(deleted.toSorted()).toEqual(ids)
  })

  it('is deleted once when it remains, as another plugin may have it', async () => {
    const first = await create(null)
    const second = await create(first, 'kept')
    const type = octavo.registry.contentType('api::reply.reply')
    await octavo.bulk({ type, delete: [first, second], state })
    expect(deleted.toSorted()).toEqual([first, second])
    expect(await replies().findOne(second)).toMatchObject({ id: second })
  })

  it('is deleted once when it is the entry itself', async () => {
    const first = await create(null)
    const second = await create(first, 'with all')
    await replies().delete(second)
    expect(deleted.toSorted()).toEqual([first, second])
    expect(await replies().findOne(first)).toBeUndefined()
  })
})
