/** Values of scalars in texts and variables. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Loose, login, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
let token: string
beforeAll(async () => {
  running = await recordedServer()
  token = await login(running.url)
})
afterAll(() => running.close())

const send = (query: string, variables?: object) =>
  ask(running.url, query, { token, ...(variables && { variables }) })

/** The data of an answer without errors. */
async function data(query: string, variables?: object): Promise<Loose> {
  const { body } = await send(query, variables)
  expect(body.errors).toBeUndefined()
  return body.data
}

describe('A date-time', () => {
  const byText = (value: string) =>
    send(
      `mutation { createArticle(data: { title: "t", startsAt: ${JSON.stringify(value)} }) { data { id } } }`,
    )
  const byVariable = (value: string) =>
    send(
      'mutation ($value: DateTime) { createArticle(data: { title: "t", startsAt: $value }) { data { id } } }',
      {
        value,
      },
    )

  it.each([
    '2024-02-30T00:00:00Z',
    '2023-02-29T10:00:00.000Z',
    '2024-04-31T10:00:00+02:00',
    '2024-06-01T24:00:00Z',
    '2024-06-01T12:00Z',
    '2024-06-01 12:00:00Z',
  ])('that does not exist, or is written in another way, is refused: %s', async (value) => {
    for (const answer of [await byText(value), await byVariable(value)]) {
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0].message).toContain('DateTime cannot represent')
    }
  })

  it.each([
    ['2024-02-29T23:30:00-01:30', '2024-03-01T01:00:00.000Z'],
    ['2024-06-01t12:00:00.123456z', '2024-06-01T12:00:00.123Z'],
  ])('is stored as its moment: %s', async (value, stored) => {
    const query =
      'mutation ($value: DateTime) { createArticle(data: { title: "t", startsAt: $value }) { data { id attributes { startsAt } } } }'
    const { createArticle } = await data(query, { value })
    expect(createArticle.data.attributes.startsAt).toBe(stored)
    await data(`mutation { deleteArticle(id: ${createArticle.data.id}) { data { id } } }`)
  })
})

describe('A variable without a value', () => {
  it('is left out of an object of JSON, and is null in a list', async () => {
    const query = `mutation ($absent: JSON, $word: JSON) {
      createRestaurant(data: { name: "json", tags: { a: $absent, b: [$absent, $word], c: { d: $absent } } }) {
        data { id attributes { tags } }
      } }`
    const { createRestaurant } = await data(query, { word: { x: [1] } })
    expect(createRestaurant.data.attributes.tags).toEqual({ b: [null, { x: [1] }], c: {} })
    await data(`mutation { deleteRestaurant(id: ${createRestaurant.data.id}) { data { id } } }`)
  })

  it('is left out of an item of a zone', async () => {
    const query = `mutation ($absent: JSON) {
      createArticle(data: { title: "zone", blocks: [{ __typename: "ComponentBlocksHero", heading: $absent, cta: { label: "c", url: $absent } }] }) {
        data { id attributes { blocks { ... on ComponentBlocksHero { heading cta { label url } } } } }
      } }`
    const { createArticle } = await data(query)
    expect(createArticle.data.attributes.blocks).toEqual([{ heading: null, cta: { label: 'c', url: null } }])
    await data(`mutation { deleteArticle(id: ${createArticle.data.id}) { data { id } } }`)
  })
})
