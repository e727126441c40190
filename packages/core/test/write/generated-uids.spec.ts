/** Uids that are generated for several entries at the same time: each entry gets one of its own, since no client chose it. */
import { createOctavo, defineContentType, type Octavo, unrestricted } from '@octavo/core'
import { definePlugin, type EntryInput } from '@octavo/core/plugin'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const state = unrestricted('writes pages')
const page = (singularName: string) =>
  defineContentType({
    kind: 'collectionType',
    info: { singularName, pluralName: `${singularName}s` },
    attributes: {
      title: { type: 'string' },
      code: { type: 'string', unique: true },
      shelf: { type: 'string' },
      slug: { type: 'uid', targetField: 'title', generate: true },
      mark: { type: 'uid', targetField: 'title', generate: true, uniqueWithin: ['shelf'] },
    },
  })
/** Makes the creates of one of the types run step by step. */
const between = definePlugin({
  name: 'between',
  setup: (host) => host.hook('entry:beforeCreate', () => {}, { types: ['api::stepwise.stepwise'] }),
})

let own: TestDatabase
let octavo: Octavo
beforeAll(async () => {
  own = await createTestDatabase()
  octavo = await createOctavo({
    contentTypes: [page('plain'), page('stepwise')],
    plugins: [between],
    database: own.url,
  })
})
afterAll(async () => {
  await octavo?.close()
  await own?.drop()
})

describe.each(['plain', 'stepwise'])('Generated uids of the type %s', (name) => {
  const type = () => octavo.registry.contentType(`api::${name}.${name}`)
  const create = async (input: EntryInput) => {
    const { data } = await octavo.write({ type: type(), action: 'create', input, query: '', state })
    return JSON.parse(data ?? 'null').attributes
  }
  const bulk = (create: readonly Readonly<Record<string, unknown>>[]) =>
    octavo.bulk({ type: type(), create, state })
  const stored = async (column: string) =>
    (await octavo.store.query(`select "${column}" from "${type().table}" order by "id"`)).flat()
  beforeEach(async () => {
    await octavo.store.query(`truncate "${type().table}"`)
  })

  it('differ after creates of one title at the same time', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => create({ title: 'Emma' })))
    expect(new Set(all.map(({ slug }) => slug)).size).toBe(4)
    for (const { slug } of all) expect(slug).toMatch(/^emma(-\d)?$/)
  })

  it('S-32: are made of the beginning of a text, however long it is', async () => {
    const beginning = `${'ab-'.repeat(333)}a`
    expect((await create({ title: 'ab '.repeat(300_000) })).slug).toBe(beginning)
    expect((await create({ title: 'ab '.repeat(400) })).slug).toBe(`${beginning}-1`)
  })

  it('differ after bulk requests at the same time', async () => {
    await Promise.all([1, 2].map(() => bulk([{ title: 'Emma' }, { title: 'Persuasion' }])))
    expect((await stored('slug')).toSorted()).toEqual(['emma', 'emma-1', 'persuasion', 'persuasion-1'])
  })

  it('differ within one bulk request, where they must', async () => {
    await bulk([
      { title: 'Emma', shelf: 'a' },
      { title: 'Emma', shelf: 'b' },
      { title: 'Emma', shelf: 'a' },
    ])
    expect(await stored('slug')).toEqual(['emma', 'emma-1', 'emma-2'])
    expect(await stored('mark')).toEqual(['emma', 'emma', 'emma-1'])
  })

  it('do not hide a value of the caller that is not unique', async () => {
    const all = await Promise.allSettled([1, 2].map(() => create({ title: 'Emma', code: 'x' })))
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toMatchObject([{ details: { errors: [{ path: ['code'] }] } }])
    await expect(bulk([{ title: 'A', slug: 'emma' }])).rejects.toThrow('must be unique')
  })
})
