import { expect, it } from 'vitest'
import { type DraftStorage, draftPrefix, nameOfNew, readDraft } from './draft.ts'
import { draftText } from './draft-text.ts'
import { type FieldValue, Form, type GroupValue, modelOf, readEntry } from './index.ts'

const uid = 'api::door.door'
const model = modelOf({
  types: [
    {
      uid,
      attributes: {
        name: { type: 'string' },
        code: { type: 'password' },
        locks: { type: 'component', component: 'door.lock', repeatable: true },
      },
    },
  ],
  components: [{ uid: 'door.lock', attributes: { code: { type: 'password' }, maker: { type: 'string' } } }],
})

it('S-59: a local copy has no passwords, at any depth', () => {
  const typed: GroupValue = {
    uid,
    id: 1,
    fields: {
      name: { kind: 'scalar', value: 'Front' },
      code: { kind: 'scalar', value: 's3cret' },
      locks: {
        kind: 'components',
        items: [
          {
            uid: 'door.lock',
            id: 2,
            key: 'door.lock:2',
            fields: { code: { kind: 'scalar', value: 's3cret' }, maker: { kind: 'scalar', value: 'Smith' } },
          },
        ],
      },
    },
  }
  const text = draftText(model, { version: 1, base: typed, mine: typed, pending: [{ sent: typed }], at: 0 })
  expect(text).not.toContain('s3cret')
  expect(text).toContain('Smith')
})

it('a local copy is the entry and its changes, each time it is written', () => {
  const lock = (id: number, maker: string) => ({ id, maker })
  const base = readEntry(model, uid, {
    id: 1,
    attributes: { name: 'Front', locks: [lock(2, 'Smith'), lock(3, 'Jones')] },
  })
  const form = new Form(model, base)
  const copy = () => {
    const draft = { version: 1, base: form.base, mine: form.value(), pending: [], at: 7, tag: '"a"' } as const
    return readDraft(draftText(model, draft))
  }
  const asStored = (value: unknown) => JSON.parse(JSON.stringify(value))
  const steps: (() => unknown)[] = [
    () => undefined,
    () => form.set('locks/door.lock:3/maker', 'Jones & Sons "Ltd"'),
    () => form.move('locks/door.lock:3', 0),
    () => form.remove('locks/door.lock:2'),
    () => form.undo(),
    () => form.set('locks/door.lock:2/maker', null),
    () => form.insert('locks', 'door.lock'),
  ]
  for (const step of steps) {
    step()
    expect(copy()).toEqual({
      ...{ version: 1, pending: [], overlaps: [], at: 7, tag: '"a"' },
      ...{ base: asStored(form.base), mine: asStored(form.value()) },
    })
  }
  expect(copy()?.mine.fields.locks).toMatchObject({
    items: [
      { fields: { maker: { value: 'Jones & Sons "Ltd"' } } },
      { fields: { maker: { value: null } } },
      {},
    ],
  })
})

it('a component that has not changed keeps its value', () => {
  const attributes = {
    name: 'Front',
    locks: [
      { id: 2, maker: 'Smith' },
      { id: 3, maker: 'Jones' },
    ],
  }
  const form = new Form(model, readEntry(model, uid, { id: 1, attributes }))
  const locks = () => (form.value().fields.locks as FieldValue & { kind: 'components' }).items
  const [first, second] = locks()
  form.set('locks/door.lock:3/maker', 'Brown')
  expect(locks()[0]).toBe(first)
  expect(locks()[1]).not.toBe(second)
})

it('a new entry goes on with the copy that a closed tab has left, of the same person, locale and origin', async () => {
  const place = { person: 1, uid, locale: 'en' }
  const left = [
    { entry: 'new-a' },
    { entry: 'new-b', locale: 'fr' },
    { entry: 'new-c', person: 2 },
    { entry: 'new-of7-d' },
    { entry: 'new-e', tab: 'open' },
  ]
  const keys = left.map(({ tab = 'closed', ...one }) => `${draftPrefix({ ...place, ...one })}${tab}`)
  const storage: Pick<DraftStorage, 'keys'> = {
    keys: async (start) => keys.filter((key) => key.startsWith(start)),
  }
  const nameOf = (changed: object, origin?: number) =>
    nameOfNew(storage, { ...place, ...changed }, origin, async (tab) => tab === 'closed')
  expect(await nameOf({})).toBe('new-a')
  expect(await nameOf({ locale: 'fr' })).toBe('new-b')
  expect(await nameOf({ person: 2 })).toBe('new-c')
  expect(await nameOf({}, 7)).toBe('new-of7-d')
  expect(await nameOf({}, 70)).toMatch(/^new-of70-[\da-f]{16}$/)
  expect(await nameOf({ locale: 'de' })).toMatch(/^new-[\da-f]{16}$/)
})
