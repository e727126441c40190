/** The schemas of bodies take the values that the server takes, and no other ones as far as JSON Schema can tell them apart. */
import { silentLogger, sql } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { openapi } from '@octavo/plugin-openapi'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Description, pointer, validator } from './description.ts'

const scalars = {
  string: { type: 'string' },
  needed: { type: 'string', required: true, default: 'a' },
  short: { type: 'text', minLength: 2, maxLength: 3 },
  pattern: { type: 'string', regex: '^\\d+$' },
  neededPattern: { type: 'string', regex: '^(\\d)\\1$', required: true, default: '11' },
  richtext: { type: 'richtext' },
  uid: { type: 'uid', unique: false },
  uidPattern: { type: 'uid', unique: false, regex: '^[a-z]' },
  password: { type: 'password' },
  email: { type: 'email' },
  enumeration: { type: 'enumeration', enum: ['news', '1'] },
  neededEnumeration: { type: 'enumeration', enum: ['news'], required: true, default: 'news' },
  date: { type: 'date' },
  time: { type: 'time' },
  datetime: { type: 'datetime' },
  timestamp: { type: 'timestamp' },
  integer: { type: 'integer' },
  neededInteger: { type: 'integer', required: true, default: 3, min: 2, max: 50 },
  biginteger: { type: 'biginteger' },
  float: { type: 'float', min: -1.5 },
  decimal: { type: 'decimal' },
  boolean: { type: 'boolean' },
  neededBoolean: { type: 'boolean', required: true, default: true },
  json: { type: 'json' },
  array: { type: 'array' },
  blocks: { type: 'blocks' },
} as const
const attributes = {
  ...scalars,
  part: { type: 'component', component: 'test.part' },
  parts: { type: 'component', component: 'test.part', repeatable: true, min: 2, max: 3 },
  zone: { type: 'dynamiczone', components: ['test.part'], max: 2 },
} as const
/** A required list has no default, so that a body without it would not be complete. */
const lists = {
  part: { type: 'component', component: 'test.part', required: true },
  parts: { type: 'component', component: 'test.part', repeatable: true, required: true, min: 2 },
  zone: { type: 'dynamiczone', components: ['test.part'], required: true, min: 1 },
} as const
/** Programs alone write the balance, the owner and the terms of an account. */
const account = {
  name: { type: 'string' },
  balance: { type: 'integer', required: true, default: 0, writable: false },
  owner: { type: 'relation', relation: 'morphToOne', writable: false },
  terms: { type: 'component', component: 'test.part', writable: false },
} as const
const part = { uid: 'test.part', attributes: scalars } as const
/** No content-type with drafts has it. */
const complete = { uid: 'test.complete', attributes: scalars } as const

const typeOf = (singularName: string, given: object, draftAndPublish: boolean): object => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  options: { draftAndPublish },
  attributes: given,
})

/** Values that clients send, some of them by mistake. */
const values: readonly unknown[] = [
  null,
  true,
  false,
  ...[0, 1, 2, -1, 7, 60, 1.5, -2.5, 1e21, 2 ** 31, -(2 ** 31), 2 ** 40, 2 ** 60, 1_700_000_000_000],
  ...[
    '',
    ' ',
    'a',
    'ab',
    'abcd',
    '1',
    '0',
    ' 0 ',
    '11',
    '42',
    '60',
    ' 5 ',
    '+5',
    '-5',
    '5.0',
    '5.',
    '.5',
    '.',
    '1e3',
    '1e+3',
    '-1.5E-2',
  ],
  ...['0x1f', '1_000', 'Infinity', '9007199254740993', '99999999999999999999', '1'.repeat(41)],
  ...[
    'true',
    'TRUE',
    ' False',
    't',
    'yes',
    'news',
    'News',
    'a-b_c.~',
    'a b',
    'ä',
    'ada@example.org',
    'ada@example',
    '@example.org',
  ],
  ...[
    '2026-02-28',
    '2026-02-28T09:30:00Z',
    '2026-02-28 09:30',
    '20260228',
    '2026',
    '2026-W09-4',
    '2026-060',
    '28.02.2026',
    '2026-2-8',
  ],
  ...['09:30:00', '09:30:00.25', '09:30:00.123456', '09:30', '09:30:00Z', ' 09:30:00 '],
  ...[[], [1], [[]], ['a'], {}, { a: 1 }, [{}], [{}, {}], [{}, {}, {}], [{}, {}, {}, {}], [null, null]],
  ...[
    [{ __component: 'test.part' }],
    [{ __component: 'test.other' }],
    [{ __component: 'test.part', string: 1 }],
  ],
  ...[
    { string: 'a' },
    { string: 1 },
    { short: 'a' },
    { short: 'abcd' },
    { needed: null },
    { integer: 'x' },
    { neededInteger: 1 },
  ],
]

/** Refusals that no schema foretells: each is of a text that has the form of the type, of a number beyond its range, or of a list that may be empty. */
const unforeseen = [
  /must be (greater|less) than or equal to/,
  /whole number( between .*)?$/,
  /at most 18 digits/,
  /ISO 8601/,
  /at least 2 items/,
  // The component is a part of drafts as well, which need not have that.
  /^part\.\w+ must be at least 2 characters|^part\.\w+ may not be null/,
] as const

describe('The schema of a body', () => {
  let database: TestDatabase
  let server: Server
  let api: Client
  let description: Description

  beforeAll(async () => {
    database = await createTestDatabase()
    server = await createServer({
      database: database.url,
      logger: silentLogger,
      contentTypes: [
        typeOf('sheet', attributes, false),
        typeOf('note', attributes, true),
        typeOf('list', lists, false),
        typeOf('account', account, false),
        typeOf('page', { part: { type: 'component', component: 'test.complete' } }, false),
      ] as never,
      components: [part, complete],
      access: 'open',
      rateLimit: false,
      plugins: [draftPublish(), openapi({ access: 'all' })],
    })
    api = createClient((await server.listen(0, '127.0.0.1')).url)
    description = (await api.get('/api/openapi.json')).body as Description
  })
  afterAll(async () => {
    await server.close()
    await database.drop()
  })

  const drafts = ['short', 'needed', 'neededPattern', 'neededEnumeration', 'part', 'parts', 'zone']
  const listed = { part: {}, parts: [{}, {}], zone: [{ __component: 'test.part' }] }
  it.each([
    ...Object.keys(attributes).map((name) => ['sheet', name, {}] as const),
    ...drafts.map((name) => ['note', name, { publishedAt: null }] as const),
    ...Object.keys(lists).map((name) => ['list', name, listed] as const),
    ['page', 'part', {}] as const,
  ])('of a %s takes what the server takes, and no other form of a value: %s', async (type, name, more) => {
    const validate = validator(description)
    const schema = pointer('components', 'schemas', `${type[0]?.toUpperCase()}${type.slice(1)}Create`)
    const differences: string[] = []
    for (const value of values) {
      const data = { ...more, [name]: value }
      const mistake = validate(schema, data)
      const { status, body } = await api.post(`/api/${type}s`, { body: { data } })
      if (status === 200 && mistake !== undefined)
        differences.push(`${JSON.stringify(value)} is taken, but ${mistake}`)
      const isForeseen = mistake !== undefined || unforeseen.some((text) => text.test(body.error?.message))
      if (status !== 200 && !isForeseen)
        differences.push(`${JSON.stringify(value)} is refused: ${body.error.message}`)
    }
    expect(differences).toEqual([])
  })

  it('has no attribute that only programs write, which answers have', () => {
    const namesOf = (name: string) => Object.keys(description.components.schemas[name]?.properties ?? {})
    for (const body of ['AccountCreate', 'AccountUpdate']) expect(namesOf(body)).toEqual(['name'])
    expect(namesOf('AccountAttributes')).toEqual(expect.arrayContaining(['name', 'balance', 'terms']))
  })

  it('of rich text, and that of an answer, have the blocks of another system that are stored', async () => {
    const body = [{ type: 'table', rows: [['a']], children: [{ type: 'text', text: '' }] }]
    const { id } = (await api.post('/api/sheets', { body: { data: {} } })).body.data
    await server.octavo.store.run(
      sql`update "sheets" set "blocks" = ${JSON.stringify(body)}::jsonb where "id" = ${id}`,
    )
    const validate = validator(description)
    const { attributes: answered } = (await api.get(`/api/sheets/${id}`)).body.data
    expect(answered.blocks).toEqual(body)
    expect(validate(pointer('components', 'schemas', 'SheetAttributes'), answered)).toBeUndefined()

    const blocks = [...body, { type: 'paragraph', children: [{ type: 'text', text: 'New' }] }]
    expect((await api.put(`/api/sheets/${id}`, { body: { data: { blocks } } })).status).toBe(200)
    expect(validate(pointer('components', 'schemas', 'SheetUpdate'), { blocks })).toBeUndefined()
  })

  it('has the ranges and the numbers of items that texts and lists may have', () => {
    const validate = validator(description)
    const listCreate = pointer('components', 'schemas', 'ListCreate')
    expect(validate(listCreate, listed)).toBeUndefined()
    for (const less of [{ part: null }, { parts: [{}] }, { parts: [] }, { zone: [] }, { part: undefined }])
      expect(validate(listCreate, { ...listed, ...less })).toBeTypeOf('string')
    const sheetCreate = pointer('components', 'schemas', 'SheetCreate')
    for (const beyond of [{ neededInteger: 1 }, { neededInteger: 51 }, { integer: 2 ** 31 }, { float: -2 }])
      expect(validate(sheetCreate, beyond)).toBeTypeOf('string')
    const pageCreate = pointer('components', 'schemas', 'PageCreate')
    for (const incomplete of [{ short: 'a' }, { needed: null }])
      expect(validate(pageCreate, { part: incomplete })).toBeTypeOf('string')
  })
})
