/** Attributes that a list of names makes private, as Strapi reads them in a definition and in `config/api`. */
import { type ContentTypeDefinition, DefinitionError, defineContentType, type EntryOf } from '@octavo/core'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'

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

let database: TestDatabase
let server: Server
let api: Client
beforeAll(async () => {
  database = await createTestDatabase()
  server = await createServer({
    contentTypes: [order, buyer],
    components: [part],
    privateAttributes: ['cost', 'createdAt'],
    database: database.url,
    access: 'open',
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  const ada = await api.post('/api/buyers', { body: { data: { name: 'Ada', cost: 1 } } })
  const values = { title: 'Lamp', margin: 7, cost: 2, buyer: ada.body.data.id }
  const parts = [{ name: 'Foot', supplier: 'Acme', cost: 3 }]
  await api.post('/api/orders', { body: { data: { ...values, parts } } })
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

describe('Attributes whose names are in a list of private ones', () => {
  it('are in no answer, at any depth', async () => {
    const { body } = await api.get('/api/orders?populate=*')
    expect(body.data).toEqual([{ id: 1, attributes: { title: 'Lamp', parts: [{ id: 1, name: 'Foot' }] } }])
    const buyers = await api.get('/api/buyers?populate=orders.parts')
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
  })

  it.each([
    'filters[margin]=7',
    'filters[cost]=2',
    'filters[parts][supplier]=Acme',
    'filters[createdAt][$notNull]=true',
    'sort=updatedAt',
  ])('do not decide what is in a list: %s', async (query) => {
    expect((await api.get(`/api/orders?${query}`)).status).toBe(400)
  })

  it('are named by a list of texts', async () => {
    const wrong: unknown = { ...buyer, options: { privateAttributes: 'name' } }
    const contentTypes = [wrong as ContentTypeDefinition, order]
    await expect(createServer({ contentTypes, components: [part] })).rejects.toThrow(DefinitionError)
  })
})
