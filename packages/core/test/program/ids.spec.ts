/** The ids that programs pass to `octavo.entries(…)`: a value that is no id never means another entry. */
import { createOctavo, defineContentType, type Octavo, silentLogger, unrestricted } from '@octavo/core'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
})

let octavo: Octavo
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  octavo = await createOctavo({ contentTypes: [note], database: database.url, logger: silentLogger })
  drop = async () => {
    await octavo.close()
    await database.drop()
  }
  await octavo.entries('note', unrestricted('fixture')).create({ text: 'first' })
})
afterAll(() => drop())

/** The methods that take an id, called with this one, also in a transaction. Programs in JavaScript may pass any value. */
const calls = (id: unknown) => {
  const given = id as number
  const notes = octavo.entries('note', unrestricted('test'))
  return {
    findOne: () => notes.findOne(given),
    update: () => notes.update(given, { text: 'changed' }),
    delete: () => notes.delete(given),
    transaction: () => octavo.transaction(({ entries }) => entries('note').delete(given)),
  }
}
const textOfFirst = async () => (await octavo.entries('note').findOne(1))?.attributes.text

describe('An id of an entry of a collection type', () => {
  it.each([undefined, null])('must not be %s', async (id) => {
    for (const call of Object.values(calls(id)))
      await expect(call()).rejects.toMatchObject({ code: 'entry/no-id', status: 400 })
    await expect(calls(id).delete()).rejects.toThrow(
      `delete needs the id of an entry, because note is a collection type; the id is ${id}.`,
    )
    expect(await textOfFirst()).toBe('first')
  })

  it.each(['update', 'delete'] as const)('is needed by the %s of a plugin', async (action) => {
    const type = octavo.registry.contentType('api::note.note')
    const state = unrestricted('test')
    await expect(
      octavo.write({ type, action, input: { text: 'changed' }, query: '', state }),
    ).rejects.toMatchObject({
      ...{ code: 'entry/no-id', status: 400 },
    })
    expect(await textOfFirst()).toBe('first')
  })

  it.each([undefined, null])(
    'is needed by each update and deletion of a bulk write, and is not %s',
    async (id) => {
      const type = octavo.registry.contentType('api::note.note')
      const given = id as never
      const state = unrestricted('test')
      for (const lists of [
        {
          update: [
            { id: 1, text: 'changed' },
            { id: given, text: 'changed' },
          ],
        },
        { update: [given] },
        { delete: [1, given] },
      ])
        await expect(octavo.bulk({ type, state, ...lists })).rejects.toMatchObject({
          ...{ code: 'entry/no-id', status: 400 },
        })
      expect(await textOfFirst()).toBe('first')
    },
  )

  it.each([Number.NaN, 1.5, -1, 0, 2 ** 31, 1e21, 'first', '1e0'])('finds no entry as %s', async (id) => {
    const { findOne, ...writes } = calls(id)
    expect(await findOne()).toBeUndefined()
    for (const write of Object.values(writes))
      await expect(write()).rejects.toMatchObject({ code: 'entry/not-found', status: 404 })
    expect(await textOfFirst()).toBe('first')
  })

  it('may be a text, as in a path', async () => {
    expect((await calls('1').findOne())?.attributes.text).toBe('first')
  })
})
