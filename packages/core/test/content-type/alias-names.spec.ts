/** Attributes whose names are those of aliases in statements. */
import { createOctavo, type Octavo } from '@octavo/core'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const names = Array.from({ length: 15 }, (_, i) => `t${i}`)
const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
const values = Object.fromEntries(names.map((name) => [name, `value of ${name}`]))

let database: TestDatabase
let octavo: Octavo
beforeAll(async () => {
  database = await createTestDatabase()
  octavo = await createOctavo({
    database: database.url,
    components: [{ uid: 'parts.box', attributes: texts }],
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'thing', pluralName: 'things' },
        attributes: {
          ...texts,
          entry: { type: 'string' },
          data: { type: 'string' },
          box: { type: 'component', component: 'parts.box' },
          boxes: { type: 'component', component: 'parts.box', repeatable: true },
          zone: { type: 'dynamiczone', components: ['parts.box'] },
          others: { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' },
        },
      },
    ],
  })
})
afterAll(async () => {
  await octavo.close()
  await database.drop()
})

describe('attributes with the names of aliases', () => {
  it('are written, read, populated, filtered and sorted', async () => {
    const things = octavo.entries('thing')
    const first = await things.create({ ...values, entry: 'e', data: 'd' })
    await things.create({
      ...values,
      box: values,
      boxes: [values, values],
      zone: [{ __component: 'parts.box', ...values }],
      others: [Number(first.id)],
    })
    const { data, pagination } = await things.find({
      filters: { t3: 'value of t3' },
      sort: 't1',
      populate: '*',
    })
    expect(pagination.total).toBe(2)
    expect(data[0]?.attributes).toMatchObject({ ...values, entry: 'e', data: 'd' })
    expect(data[1]?.attributes).toMatchObject({
      box: values,
      boxes: [values, values],
      zone: [values],
      others: { data: [{ id: 1, attributes: values }] },
    })
  })
})
