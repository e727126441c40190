/** Attributes with the names of columns that their tables have anyway: those by which a component belongs to its entry, and those of PostgreSQL. */
import { type ContentTypeDefinition, defineComponent, silentLogger } from '@octavo/core'
import { createClient, createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'
import { createServer } from '../../src/index.ts'

const type = (
  singularName: string,
  attributes: ContentTypeDefinition['attributes'],
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  attributes,
})
const contentTypes = [
  type('person', { name: { type: 'string' } }),
  type('fleet', {
    boats: { type: 'component', component: 'fleet.boat', repeatable: true },
    xmin: { type: 'integer' },
    xmax: { type: 'integer' },
  }),
]
const boat = defineComponent({
  uid: 'fleet.boat',
  attributes: {
    owner: { type: 'relation', relation: 'oneToOne', target: 'api::person.person' },
    ownerType: { type: 'string' },
    field: { type: 'string' },
    position: { type: 'integer' },
    ctid: { type: 'string' },
  },
})

it('are written, read and filtered', async () => {
  const database = await createTestDatabase()
  const options = { contentTypes, components: [boat], database: database.url, logger: silentLogger }
  const server = await createServer({ ...options, access: 'open' })
  try {
    const api = createClient((await server.listen(0, '127.0.0.1')).url)
    const person = (await api.post('/api/persons', { body: { data: { name: 'Ada' } } })).body.data.id
    const values = { ownerType: 'private', field: 'sea', position: 7, ctid: 'c' }
    const boats = [{ field: 'lake' }, { ...values, owner: person }]
    const { id } = (await api.post('/api/fleets', { body: { data: { boats, xmin: 1, xmax: 9 } } })).body.data
    await api.put(`/api/fleets/${id}`, { body: { data: { xmin: 2 } } })
    const read = await api.get(`/api/fleets/${id}?populate[boats][populate]=owner`)
    expect(read.body.data.attributes).toMatchObject({ xmin: 2, xmax: 9 })
    expect(read.body.data.attributes.boats).toMatchObject([
      { field: 'lake', position: null, owner: { data: null } },
      { ...values, owner: { data: { id: person, attributes: { name: 'Ada' } } } },
    ])
    const found = await api.get(
      '/api/fleets?filters[boats][owner][name]=Ada&filters[boats][position]=7&filters[xmax]=9',
    )
    expect(found.body.data.map((one: { id: number }) => one.id)).toEqual([id])
    await api.delete(`/api/persons/${person}`)
    const later = await api.get(`/api/fleets/${id}?populate[boats][populate]=owner`)
    expect(later.body.data.attributes.boats[1].owner.data).toBeNull()
  } finally {
    await server.close()
    await database.drop()
  }
})
