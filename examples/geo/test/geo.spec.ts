import { defineContentType, sql, unrestricted } from '@octavo/core'
import type { EntryInput } from '@octavo/core/plugin'
import { openapi } from '@octavo/plugin-openapi'
import { pages } from '@octavo/plugin-pages'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { earthRadius, type GeoPoint } from '../src/circle.ts'
import { geo } from '../src/geo.ts'

const shop = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'shop', pluralName: 'shops' },
  attributes: {
    name: { type: 'string' },
    location: { type: 'geo-point' },
    secret: { type: 'geo-point', private: true },
    town: { type: 'relation', relation: 'manyToOne', target: 'api::town.town', inversedBy: 'shops' },
  },
})
const town = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'town', pluralName: 'towns' },
  attributes: {
    name: { type: 'string' },
    shops: { type: 'relation', relation: 'oneToMany', target: 'api::shop.shop', mappedBy: 'town' },
  },
})

/** Near the edges of the map, and in places that people know. */
const places: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  alexanderplatz: [52.5219, 13.4132],
  potsdam: [52.3906, 13.0645],
  paris: [48.8566, 2.3522],
  suva: [-18.1248, 178.4501],
  apia: [-13.8507, -171.7514],
  northPole: [90, 0],
  alert: [82.5018, -62.3481],
  longyearbyen: [78.2232, 15.6267],
  southPole: [-90, 0],
  nullIsland: [0, 0],
  dateLineEast: [0, -180],
  dateLineWest: [0, 180],
  ...Object.fromEntries(
    Array.from({ length: 80 }, (_, i) => [
      `grid${i}`,
      [((i * 71) % 180) - 90 + 0.25, ((i * 101) % 360) - 180 + 0.5] as const,
    ]),
  ),
}

const start = (database: string) =>
  createServer({
    contentTypes: { shop, town },
    plugins: [geo(), openapi(), pages()],
    database,
    access: 'open',
    limits: { filterNodes: 20 },
  })

let server: Awaited<ReturnType<typeof start>>
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createTestDatabase()
  server = await start(database.url)
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
  await createAll([
    ...Object.entries(places).map(([name, [latitude, longitude]]) => ({
      name,
      location: { latitude, longitude },
    })),
    { name: 'nowhere' },
  ])
  await api.post('/api/towns', { body: { data: { name: 'Berlin', shops: [1] } } })
})
afterAll(async () => {
  await server.close()
  await drop()
})

const createAll = (create: readonly EntryInput[]) =>
  server.octavo.bulk({
    type: server.registry.contentType('api::shop.shop'),
    create,
    state: unrestricted('fills the test'),
  })

const path = (query: string): string => `/api/shops?fields=name&sort=id&pagination[pageSize]=100&${query}`
const near = (circle: string): string => path(`filters[location][$near]=${circle}`)

async function names(query: string): Promise<readonly string[]> {
  const { status, body } = await api.get(query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map((entry: { attributes: { name: string } }) => entry.attributes.name)
}

/** The distance of two points on the sphere in metres. */
function haversine(one: GeoPoint, other: GeoPoint): number {
  const rad = (degrees: number): number => (degrees * Math.PI) / 180
  const square = (degrees: number): number => Math.sin(rad(degrees) / 2) ** 2
  const h =
    square(other.latitude - one.latitude) +
    Math.cos(rad(one.latitude)) * Math.cos(rad(other.latitude)) * square(other.longitude - one.longitude)
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(h)))
}

describe('$near', () => {
  it('finds the entries within a distance in metres', async () => {
    expect(await names(near('52.52,13.405,1000'))).toEqual(['alexanderplatz'])
    expect(await names(near('52.52,13.405,40000'))).toEqual(['alexanderplatz', 'potsdam'])
    expect(await names(near('52.52,13.405,1'))).toEqual([])
    expect(await names(near('48.8566,2.3522,0'))).toEqual(['paris'])
  })

  it('finds entries across the 180th meridian and around the poles', async () => {
    expect(await names(near('-16,-178,800000'))).toEqual(expect.arrayContaining(['suva', 'apia']))
    expect(await names(near('0,179.9999,100'))).toEqual(['dateLineEast', 'dateLineWest'])
    expect(await names(near('0,-179.9999,100'))).toEqual(['dateLineEast', 'dateLineWest'])
    expect(await names(near('89.9,170,20000'))).toEqual(['northPole'])
    expect(await names(near('85,118,1500000'))).toEqual(expect.arrayContaining(['northPole', 'alert']))
  })

  it('finds what the haversine formula in JavaScript finds, for any circle', async () => {
    const circle = fc.record({
      latitude: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 0, 89.99)),
      longitude: fc.oneof(
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.constantFrom(-180, 180, 179.99, -179.99),
      ),
      metres: fc.oneof(
        fc.double({ min: 0, max: 20_015_115, noNaN: true }),
        fc.double({ min: 0, max: 3_000_000, noNaN: true }),
      ),
    })
    await fc.assert(
      fc.asyncProperty(circle, async (drawn) => {
        // As the request has them: without exponents.
        const [latitude, longitude, metres] = [drawn.latitude, drawn.longitude, drawn.metres].map((value) =>
          Number(value.toFixed(6)),
        ) as [number, number, number]
        const found = await names(near([latitude, longitude, metres].map((n) => n.toFixed(6)).join()))
        for (const [name, [lat, lon]] of Object.entries(places)) {
          const distance = haversine({ latitude, longitude }, { latitude: lat, longitude: lon })
          // On the circle itself the rounding of the two formulas decides.
          if (Math.abs(distance - metres) < 0.01 + metres * 1e-6) continue
          expect([name, found.includes(name)]).toEqual([name, distance < metres])
        }
        expect(found).not.toContain('nowhere')
      }),
      { numRuns: 40 },
    )
  })

  it('combines with other operators, negations, lists and relations', async () => {
    const berlin = 'filters[location][$near]=52.52,13.405,40000'
    expect(await names(path(`${berlin}&filters[name][$startsWith]=p`))).toEqual(['potsdam'])
    expect(await names(path(`${berlin}&filters[location][$not][$near]=52.52,13.405,1000`))).toEqual([
      'potsdam',
    ])
    expect(
      await names(
        path('filters[location][$near][0]=52.52,13.405,1000&filters[location][$near][1]=48.85,2.35,5000'),
      ),
    ).toEqual(['alexanderplatz', 'paris'])
    expect(
      await names(path('filters[$or][0][name]=suva&filters[$or][1][location][$near]=52.52,13.405,1000')),
    ).toEqual(['alexanderplatz', 'suva'])
    expect(await names('/api/towns?filters[shops][location][$near]=52.52,13.405,1000')).toEqual(['Berlin'])
    expect(await names('/api/towns?filters[shops][location][$near]=48.85,2.35,1000')).toEqual([])
    // An entry without a point meets neither the operator nor its opposite.
    const outside = await names(path('filters[location][$not][$near]=0,0,20015115'))
    expect(outside).toEqual([])
    expect(await names(path('filters[location][$null]=true'))).toEqual(['nowhere'])
  })

  it.each([
    ['filters[location][$near]=52.52,13.405', 'latitude (-90 to 90)'],
    ['filters[location][$near]=91,13.405,5', 'latitude (-90 to 90)'],
    ['filters[location][$near]=52,181,5', 'longitude (-180 to 180)'],
    ['filters[location][$near]=52,13,-1', 'metres (0 to 20015115)'],
    ['filters[location][$near]=52,13,5,6', 'as in 52.52,13.405,5000'],
    ['filters[location][$near]=here', 'as in 52.52,13.405,5000'],
    ['filters[location][$near]=', 'as in 52.52,13.405,5000'],
    ['filters[location][$near][lat]=1', '$near takes a value'],
    ['filters[name][$near]=52.52,13.405,5000', '$near is for geo-point, and "name" is string'],
    ['filters[id][$near]=52.52,13.405,5000', '$near is for geo-point, and "id" is integer'],
    ['filters[town][$near]=52.52,13.405,5000', '$near is for geo-point, and "id" is integer'],
    ['filters[$near]=52.52,13.405,5000', '$near needs the name of an attribute before it'],
    ['filters[secret][$near]=52.52,13.405,5000', 'secret'],
    ['filters[location][$far]=52.52,13.405,5000', '$between, $near, $and'],
  ])('refuses %s with the place and what would be right', async (query, message) => {
    const { status, body } = await api.get(`/api/shops?${query}`)
    expect([status, body.error.name]).toEqual([400, 'ValidationError'])
    expect(body.error.message).toContain(message)
  })

  it('counts as conditions of the query, whose number is limited', async () => {
    const many = Array.from({ length: 21 }, (_, i) => `filters[location][$near][${i}]=1,1,${i}`)
    const { status, body } = await api.get(`/api/shops?${many.join('&')}`)
    expect([status, body.error.details.code]).toEqual([400, 'query/filter-too-large'])
  })

  it('is in programs, with its operand typed', async () => {
    const { data } = await server.octavo
      .entries('shop', unrestricted('reads all'))
      .find({ filters: { location: { $near: '52.52,13.405,1000' } } })
    const [first] = data
    // Typed from the definition.
    const latitude: number | undefined = first?.attributes.location?.latitude
    expect([data.length, latitude]).toEqual([1, 52.5219])
    const shops = server.octavo.entries('shop')
    // @ts-expect-error three numbers
    const malformed = shops.find({ filters: { location: { $near: 'here' } } })
    await expect(malformed).rejects.toThrow('filters[location][$near]')
    // @ts-expect-error not for texts
    const wrong = shops.find({ filters: { name: { $near: '1,2,3' } } })
    await expect(wrong).rejects.toThrow('$near is for geo-point')
  })

  it('is in the description of the API, for the attributes that it is for', async () => {
    const { body } = await api.get('/api/openapi.json')
    expect(body.components.schemas.StringAnyNearOperators.properties.$near).toEqual({
      type: 'string',
      description: 'within a distance of a point: latitude,longitude,metres',
      examples: ['52.52,13.405,5000'],
    })
    expect(body.components.schemas.StringOperators.properties).not.toHaveProperty('$near')
  })

  it('is on the query page, for the attributes that it is for', async () => {
    const { body } = await api.get('/docs/query/model.json')
    expect(body.operators.$near).toEqual({
      operand: 'one',
      meaning: 'within a distance of a point: latitude,longitude,metres',
      example: '52.52,13.405,5000',
    })
    const { attributes } = body.types.find((type: { uid: string }) => type.uid === 'api::shop.shop')
    const operatorsOf = (name: string): readonly string[] =>
      attributes.find((attribute: { name: string }) => attribute.name === name).operators
    expect(operatorsOf('location')).toContain('$near')
    expect(operatorsOf('name')).not.toContain('$near')
  })

  it('is answered by the index of the attribute', async () => {
    const { octavo, registry } = server
    const type = registry.contentType('api::shop.shop')
    const far = { latitude: -60, longitude: 3 }
    await createAll(Array.from({ length: 1000 }, () => ({ location: far })))
    await octavo.store.run(sql`analyze ${sql.id(type.table)}`)
    const query = 'filters[location][$near]=52.52,13.405,1000'
    const { plan } = await octavo.explain({ type, action: 'find', kind: 'list', query, state: {} })
    expect(JSON.stringify(plan)).toMatch(/Index Scan.*shops_point_idx/)
    await octavo.store.run(sql`delete from ${sql.id(type.table)} where name is null`)
  })
})

describe('A geo-point', () => {
  it('is written and answered as an object, and compared as a text', async () => {
    const location = { latitude: -33.8688, longitude: 151.2093 }
    const { body } = await api.post('/api/towns', { body: { data: { name: 'Sydney' } } })
    expect(body.data.id).toBe(2)
    const made = await api.post('/api/shops', { body: { data: { name: 'opera', location } } })
    expect(made.body.data.attributes.location).toEqual(location)
    expect(await names(path('filters[location]=-33.8688,151.2093'))).toEqual(['opera'])
    expect(await names(path('filters[location][$eq]=-33.86880,151.2093'))).toEqual(['opera'])
    await api.delete(`/api/shops/${made.body.data.id}`)
  })

  it.each([
    'here',
    { latitude: 1 },
    { latitude: '1', longitude: 2 },
    { latitude: 91, longitude: 2 },
    { latitude: 1, longitude: 2, height: 3 },
    true,
  ])('refuses %j', async (location) => {
    const { status, body } = await api.post('/api/shops', { body: { data: { location } } })
    expect([status, body.error.details.errors[0].path]).toEqual([400, ['location']])
  })
})
