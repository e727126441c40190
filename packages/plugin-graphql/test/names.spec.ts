import { unrestricted } from '@octavo/core'
import { graphql } from '@octavo/plugin-graphql'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'

it('A content-type with names that GraphQL does not have starts, and its values are those of REST', async () => {
  const database = await createTestDatabase()
  const server = await createServer({
    database: database.url,
    access: 'open',
    plugins: [graphql()],
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'car', pluralName: 'cars' },
        attributes: {
          fuel: { type: 'enumeration', enum: ['бензин', 'дизель'] },
          drive: { type: 'enumeration', enum: ['4x4', '2x4'] },
          'brand-name': { type: 'string' },
        },
      },
    ],
  })
  try {
    const state = unrestricted('fills the test')
    await server.octavo.entries('car', state).create({ fuel: 'дизель', drive: '4x4', 'brand-name': 'Volga' })
    const { url } = await server.listen(0, '127.0.0.1')
    const query = '{ cars { data { attributes { fuel drive } } } __type(name: "Car") { fields { name } } }'
    const { body } = await createClient(url).post('/graphql', { body: { query } })
    expect(body.data.cars.data).toEqual([{ attributes: { fuel: 'dizel', drive: '4x4' } }])
    const names = body.data.__type.fields.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['fuel', 'drive', 'createdAt', 'updatedAt'])
  } finally {
    await server.close()
    await database.drop()
  }
})
