import { defineContentType } from '@octavo/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { article, author, openSite, type Site } from '../support/site.ts'

const house = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'house', pluralName: 'houses' },
  attributes: {
    door: { type: 'relation', relation: 'oneToOne', target: 'api::door.door', inversedBy: 'house' },
  },
})
const door = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'door', pluralName: 'doors' },
  attributes: {
    house: { type: 'relation', relation: 'oneToOne', target: 'api::house.house', mappedBy: 'door' },
  },
})

let site: Site
beforeAll(async () => {
  site = await openSite({ contentTypes: [article, author, house, door] })
  for (const type of ['houses', 'houses', 'doors'])
    await site.api.post(`/api/${type}`, { body: { data: {} } })
})
afterAll(() => site.close())

it.each([
  ['start', { start: true }],
  ['end', { end: true }],
  ['before', { before: 1 }],
  ['after', { after: 1 }],
])('A position (%s) has no effect on a one-to-one relation, from either side', async (_, position) => {
  const connect = [{ id: 2, position }]
  const inverse = await site.api.put('/api/doors/1?populate=house', {
    body: { data: { house: { connect } } },
  })
  expect([inverse.status, inverse.body.data?.attributes.house.data.id]).toEqual([200, 2])
  const owning = await site.api.put('/api/houses/1?populate=door', {
    body: { data: { door: { connect: [{ id: 1, position }] } } },
  })
  expect([owning.status, owning.body.data?.attributes.door.data.id]).toEqual([200, 1])
})
