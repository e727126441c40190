/** `options.privateAttributes` of a definition, by which the reference hides attributes as by `private`. */
import { defineComponent, defineContentType, type EntryOf } from '@octavo/core'
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const person = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'person', pluralName: 'people' },
  options: { privateAttributes: ['salary', 'manager', 'createdAt'] },
  attributes: {
    name: { type: 'string', required: true },
    salary: { type: 'integer' },
    manager: { type: 'relation', relation: 'manyToOne', target: 'api::person.person' },
    address: { type: 'component', component: 'shared.address' },
  },
})
const address = defineComponent({
  uid: 'shared.address',
  options: { privateAttributes: ['street'] },
  attributes: { city: { type: 'string' }, street: { type: 'string' } },
})

let site: Site
beforeAll(async () => {
  site = await openSite({ contentTypes: [person], components: [address] }, false)
  const people = site.server.octavo.entries('person')
  const { id } = await people.create({ name: 'Ada', salary: 5 })
  await people.create({
    name: 'Grace',
    salary: 7,
    manager: id,
    address: { city: 'Arlington', street: 'Hidden Lane' },
  })
})
afterAll(() => site.close())

it('No answer contains them', async () => {
  const { body } = await site.api.get('/api/people/2?populate=*')
  expect(body.data.attributes).toEqual({
    name: 'Grace',
    updatedAt: expect.any(String),
    address: { id: 1, city: 'Arlington' },
  })
  expectTypeOf<EntryOf<typeof person>['attributes']>().not.toHaveProperty('salary')
  expectTypeOf<EntryOf<typeof person>['attributes']>().not.toHaveProperty('manager')
})

it.each(['filters[salary]=7', 'filters[address][street]=Hidden Lane', 'sort=createdAt', 'sort=salary'])(
  'No request finds out about them: %s',
  async (query) => {
    expect(await site.api.get(`/api/people?${query}`)).toMatchObject({ status: 400 })
  },
)
