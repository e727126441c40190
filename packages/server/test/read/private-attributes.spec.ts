/** Attributes that a list of names makes private, as Strapi reads them in a definition and in `config/api`. */
import { type ContentTypeDefinition, DefinitionError, defineContentType, type EntryOf } from '@octavo/core'
import { createServer } from '@octavo/server'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const info = (singularName: string) => ({ singularName, pluralName: `${singularName}s` })
const order = defineContentType({
  kind: 'collectionType',
  info: info('order'),
  options: { privateAttributes: ['margin', 'updatedAt', 'buyer'] },
  attributes: {
    title: { type: 'string' },
    margin: { type: 'integer' },
    cost: { type: 'integer' },
    buyer: { type: 'relation', relation: 'manyToOne', target: 'api::buyer.buyer', inversedBy: 'orders' },
    parts: { type: 'component', component: 'shop.part', repeatable: true },
  },
})
const buyer: ContentTypeDefinition = {
  kind: 'collectionType',
  info: info('buyer'),
  attributes: {
    name: { type: 'string' },
    cost: { type: 'integer' },
    orders: { type: 'relation', relation: 'oneToMany', target: 'api::order.order', mappedBy: 'buyer' },
  },
}
const part = {
  uid: 'shop.part',
  options: { privateAttributes: ['supplier'] },
  attributes: { name: { type: 'string' }, supplier: { type: 'string' }, cost: { type: 'integer' } },
}

let site: Site
beforeAll(async () => {
  const contentTypes = [order, buyer]
  site = await openSite({ contentTypes, components: [part], privateAttributes: ['cost', 'createdAt'] }, false)
  const ada = await site.api.post('/api/buyers', { body: { data: { name: 'Ada', cost: 1 } } })
  const values = { title: 'Lamp', margin: 7, cost: 2, buyer: ada.body.data.id }
  const parts = [{ name: 'Foot', supplier: 'Acme', cost: 3 }]
  await site.api.post('/api/orders', { body: { data: { ...values, parts } } })
})
afterAll(() => site.close())

describe('Attributes whose names are in a list of private ones', () => {
  it('are in no answer, at any depth', async () => {
    const { body } = await site.api.get('/api/orders?populate=*')
    expect(body.data).toEqual([{ id: 1, attributes: { title: 'Lamp', parts: [{ id: 1, name: 'Foot' }] } }])
    const buyers = await site.api.get('/api/buyers?populate=orders.parts')
    expect(buyers.body.data).toMatchObject([
      {
        attributes: {
          orders: { data: [{ id: 1, attributes: { title: 'Lamp', parts: [{ id: 1, name: 'Foot' }] } }] },
        },
      },
    ])
    expect(JSON.stringify(buyers.body)).not.toMatch(/cost|margin|supplier|createdAt/)
  })

  it('are not in the types of entries', () => {
    expectTypeOf<EntryOf<typeof order>['attributes']>().not.toHaveProperty('margin')
    expectTypeOf<EntryOf<typeof order>['attributes']>().not.toHaveProperty('buyer')
    // The list of a definition in JSON is one of any texts.
    const listed = { ...order, options: { privateAttributes: ['margin'] } }
    expectTypeOf<EntryOf<typeof listed>['attributes']>().toHaveProperty('title')
  })

  it.each([
    'filters[margin]=7',
    'filters[cost]=2',
    'filters[parts][supplier]=Acme',
    'filters[createdAt][$notNull]=true',
    'sort=updatedAt',
  ])('do not decide what is in a list: %s', async (query) => {
    expect((await site.api.get(`/api/orders?${query}`)).status).toBe(400)
  })

  it('are named by a list of texts', async () => {
    const wrong: unknown = { ...buyer, options: { privateAttributes: 'name' } }
    const contentTypes = [wrong as ContentTypeDefinition, order]
    await expect(createServer({ contentTypes, components: [part] })).rejects.toThrow(DefinitionError)
  })
})
