/** Writes of a single type at the same time: it has one entry, which is locked like any other one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createOctavo, defineContentType, type Octavo, unrestricted } from '@octavo/core'
import { definePlugin, type EntryInput } from '@octavo/core/plugin'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const state = unrestricted('writes single types')
const single = (singularName: string) =>
  defineContentType({
    kind: 'singleType',
    info: { singularName, pluralName: `${singularName}s` },
    attributes: {
      title: { type: 'string' },
      parts: { type: 'component', component: 'page.part', repeatable: true },
    },
  })
/** Runs in the middle of a write that is one message, or step by step. */
let meanwhile: (() => Promise<void>) | undefined
const between = definePlugin({
  name: 'between',
  setup(host) {
    const wait = async () => {
      const once = meanwhile
      meanwhile = undefined
      await once?.()
    }
    host.hook('entry:beforeUpdate', wait, { types: ['api::stepwise.stepwise'] })
    host.hook('entry:afterUpdate', wait, { types: ['api::plain.plain'] })
  },
})

let own: TestDatabase
let octavo: Octavo
beforeAll(async () => {
  own = await createTestDatabase()
  octavo = await createOctavo({
    contentTypes: [single('plain'), single('stepwise')],
    components: [{ uid: 'page.part', attributes: { text: { type: 'string' } } }],
    plugins: [between],
    database: own.url,
  })
})
afterAll(async () => {
  await octavo?.close()
  await own?.drop()
})

describe.each(['plain', 'stepwise'])('The single type %s', (name) => {
  const type = () => octavo.registry.contentType(`api::${name}.${name}`)
  const put = async (input: EntryInput) => {
    const { data } = await octavo.write({ type: type(), action: 'update', input, query: 'populate=*', state })
    return data === undefined ? undefined : JSON.parse(data)
  }
  const remove = () => octavo.write({ type: type(), action: 'delete', query: '', state })
  const titles = async () => (await octavo.store.query(`select "title" from "${type().table}"`)).flat()
  beforeEach(async () => {
    await octavo.store.query(`truncate "${type().table}"`)
  })

  it('has one entry after first updates at the same time, and each of them is acknowledged', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((title) => put({ title })))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await titles()).toHaveLength(1)
  })

  it('is created once by many first updates that only some may make: a precondition sees what came before', async () => {
    const seen: unknown[] = []
    const precondition = (data: string | undefined) => {
      seen.push(data)
      if (data !== undefined) throw new Error('It exists')
    }
    const request = { type: type(), action: 'update', input: { title: 'a' }, query: '', state } as const
    const all = await Promise.allSettled([1, 2, 3].map(() => octavo.write({ ...request, precondition })))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await titles()).toEqual(['a'])
  })

  it('is not deleted while it is updated', async () => {
    await put({ title: 'first' })
    const [isBetween, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    meanwhile = () => {
      isBetween.resolve()
      return goesOn.promise
    }
    const updated = put({ title: 'second', parts: [{ text: 'a' }] })
    await isBetween.promise
    const removed = remove()
    await Promise.race([removed, sleep(200)])
    goesOn.resolve()
    expect((await updated).attributes.parts).toMatchObject([{ text: 'a' }])
    expect(JSON.parse((await removed).data ?? '{}').attributes).toMatchObject({ title: 'second' })
    expect(await titles()).toEqual([])
  })
})
