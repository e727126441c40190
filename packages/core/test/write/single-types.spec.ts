/** Writes of a single type at the same time: it has one entry, which is locked like any other one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createOctavo, defineContentType, type Octavo, unrestricted } from '@octavo/core'
import { definePlugin, type EntryInput, type WriteEvent } from '@octavo/core/plugin'
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
let meanwhileWith: ((event: WriteEvent) => Promise<unknown>) | undefined
const between = definePlugin({
  name: 'between',
  setup(host) {
    const wait = async (event: WriteEvent) => {
      const [once, onceWith] = [meanwhile, meanwhileWith]
      meanwhile = meanwhileWith = undefined
      await once?.()
      await onceWith?.(event)
    }
    host.hook('entry:beforeUpdate', wait, { types: ['api::stepwise.stepwise'] })
    host.hook('entry:afterUpdate', wait, { types: ['api::plain.plain'] })
  },
})
const secondOf = (name: string) =>
  `${name} is a single type, which has one entry: update it instead of creating another one.`

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

  it('gets no second entry by the creates of a program, alone, at the same time, in bulk and in a transaction', async () => {
    const entries = octavo.entries(name, state)
    const refused = { status: 400, code: 'entry/second-single' }
    const bulk = (...create: EntryInput[]) => octavo.bulk({ type: type(), create, state })
    await expect(bulk({ title: 'a' }, { title: 'b' })).rejects.toMatchObject(refused)
    expect(await titles()).toEqual([])
    const all = await Promise.allSettled(['a', 'b', 'c'].map((title) => entries.create({ title })))
    expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    for (const one of all)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ ...refused, message: secondOf(name) })
    await expect(bulk({ title: 'd' })).rejects.toMatchObject(refused)
    const within = octavo.transaction((tx) => tx.entries(name).create({ title: 'e' }), state)
    await expect(within).rejects.toMatchObject(refused)
    expect(await titles()).toHaveLength(1)
    await remove()
    expect((await entries.create({ title: 'f' })).attributes.title).toBe('f')
  })

  it('gets no second entry by a hook', async () => {
    await put({ title: 'a' })
    meanwhileWith = ({ entries }) => entries.create(type().uid, { title: 'b' })
    await expect(put({ title: 'c' })).rejects.toMatchObject({ code: 'entry/second-single' })
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
