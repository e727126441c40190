/** Rich text with blocks that another system has stored: they may remain beside what is changed, and no new ones are taken. */
import { type ContentTypeDefinition, defineComponent, silentLogger, sql } from '@octavo/core'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createServer } from '../../src/index.ts'

const page: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages' },
  attributes: {
    title: { type: 'string' },
    body: { type: 'blocks' },
    parts: { type: 'component', component: 'page.part', repeatable: true },
  },
}
const part = defineComponent({
  uid: 'page.part',
  attributes: { name: { type: 'string' }, text: { type: 'blocks' } },
})

const words = (text: string) => ({ type: 'text', text })
const paragraph = (...children: object[]) => ({ type: 'paragraph', children })
const table = { type: 'table', rows: [['a', { b: 1.5 }]], children: [words('')] }
const mention = { type: 'mention', user: 7, children: [words('Ada')] }
const body = [paragraph(words('Before '), mention), table, paragraph(words('After'))]

let api: Client
let id: number
let copy: number
let partId: number
/** Stores the text in the entry and in its part, as another system has. */
let store: () => Promise<void>
let close: () => Promise<void>

beforeAll(async () => {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes: [page],
    components: [part],
    database: database.url,
    access: 'open',
    logger: silentLogger,
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  const create = async (data: object) =>
    (await api.post('/api/pages?populate=parts', { body: { data } })).body.data
  const first = await create({ title: 'Old', parts: [{ name: 'One' }] })
  id = first.id
  partId = first.attributes.parts[0].id
  copy = (await create({ body: [paragraph(words('x'))] })).id
  store = async () => {
    const stored = JSON.stringify(body)
    await server.octavo.store.run(sql`update "pages" set "body" = ${stored}::jsonb where "id" = ${id}`)
    await server.octavo.store.run(sql`update "components_page_part" set "text" = ${stored}::jsonb`)
  }
  close = async () => {
    await server.close()
    await database.drop()
  }
})
beforeEach(() => store())
afterAll(() => close())

const put = (entry: number, data: object) => api.put(`/api/pages/${entry}?populate=parts`, { body: { data } })

describe('blocks of unknown types', () => {
  it('remain when a paragraph beside them is changed', async () => {
    const changed = [paragraph(words('Sooner '), mention), table, paragraph(words('Later'))]
    const { status, body: answer } = await put(id, { body: changed })
    expect([status, answer.error]).toEqual([200, undefined])
    expect(answer.data.attributes.body).toEqual(changed)
  })

  it('may be moved and taken away, and do not come back', async () => {
    const moved = [table, paragraph(words('Sooner '), mention)]
    expect((await put(id, { body: moved })).body.data.attributes.body).toEqual(moved)
    const fewer = [paragraph(words('Sooner '), mention)]
    expect((await put(id, { body: fewer })).body.data.attributes.body).toEqual(fewer)
    expect((await put(id, { body: moved })).status).toBe(400)
  })

  it('remain in parts that are changed in place', async () => {
    const text = [paragraph(words('Within')), table]
    const { body: answer } = await put(id, { parts: [{ id: partId, text }] })
    expect(answer.data.attributes.parts).toEqual([{ id: partId, name: 'One', text }])
  })

  it.each([
    [
      'in another entry',
      () => copy,
      { body },
      'body must be rich text, with [0].children[1] a text or link node',
    ],
    [
      'that have changed',
      () => id,
      { body: [paragraph(words('x'), { ...mention, user: 8 })] },
      'body must be rich text, with [0].children[1] a text or link node',
    ],
    [
      'in a new part',
      () => id,
      { parts: [{ text: [table] }] },
      'parts[0].text must be rich text, with [0] one of the types paragraph, quote, heading, code, list, image',
    ],
  ])('are refused %s', async (_, entry, data, message) => {
    const { status, body: answer } = await put(entry(), data)
    expect(status).toBe(400)
    expect(answer.error.details.errors.map((one: { message: string }) => one.message)).toContain(message)
  })

  it('are refused in a new entry', async () => {
    const { status } = await api.post('/api/pages', { body: { data: { body: [table] } } })
    expect(status).toBe(400)
  })

  it('are refused by the first place that is new', async () => {
    const { status, body: answer } = await put(id, { body: [...body, { ...table, rows: [] }] })
    expect([status, answer.error.message]).toEqual([400, expect.stringContaining('[3] one of the types')])
  })

  it('excuse no other mistake', async () => {
    const wrong = [paragraph(words('x'), mention), { type: 'heading', level: 9, children: [words('x')] }]
    const { status, body: answer } = await put(id, { body: wrong })
    expect([status, answer.error.message]).toEqual([400, expect.stringContaining('[1].level')])
  })
})
