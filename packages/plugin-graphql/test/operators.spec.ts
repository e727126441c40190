/** The operators that plugins add to filters. */
import { defineContentType, silentLogger, sql } from '@octavo/core'
import { definePlugin, InvalidValue } from '@octavo/core/plugin'
import { graphql } from '@octavo/plugin-graphql'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printedSchema } from '../src/schema/printed.ts'
import { schemaText } from '../src/schema/schema-text.ts'
import { ask } from './recorded.ts'

const lengths = definePlugin({
  name: 'lengths',
  setup(host) {
    host.operator('$longer', {
      on: ['string', 'text'],
      meaning: 'has "more" characters than',
      example: '80',
      read: (text) => {
        if (/^\d{1,6}$/.test(text)) return Number(text)
        throw new InvalidValue('a whole number below 1,000,000')
      },
      sql: (value, least) => sql`char_length(${value}) > ${least}::int4`,
      reads: [],
    })
  },
})

const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: { name: { type: 'string' }, email: { type: 'email' }, age: { type: 'integer' } },
})
const book = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: {
    title: { type: 'string' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
  },
})

let database: TestDatabase
let server: Server
let url: string
beforeAll(async () => {
  database = await createTestDatabase()
  server = await createServer({
    contentTypes: { author, book },
    plugins: [lengths, graphql()],
    database: database.url,
    access: 'open',
    logger: silentLogger,
  })
  ;({ url } = await server.listen(0))
  const { id } = await server.octavo.entries('author').create({ name: 'Ada', email: 'ada@example.org' })
  for (const title of ['It', 'Emma', 'Middlemarch', null])
    await server.octavo.entries('book').create({ title, author: id })
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

const books = (filters: string) =>
  ask(url, `{ books(filters: ${filters}, sort: "id") { data { attributes { title } } } }`)
const withLengths = (lengths: unknown) =>
  ask(
    url,
    `query ($lengths: [String]) { books(filters: { title: { longer: $lengths } }) { data { attributes { title } } } }`,
    { variables: { lengths } },
  )
const titles = async (asked: ReturnType<typeof ask>) => {
  const { body } = await asked
  expect(body.errors).toBeUndefined()
  return body.data.books.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
}

describe('The operator of a plugin', () => {
  it('filters, with one operand, with any of several, and through a relation', async () => {
    expect(await titles(books('{ title: { longer: "3" } }'))).toEqual(['Emma', 'Middlemarch'])
    expect(await titles(books('{ title: { longer: ["3", "10"] } }'))).toEqual(['Emma', 'Middlemarch'])
    expect(await titles(books('{ title: { longer: "1", startsWith: "I" } }'))).toEqual(['It'])
    expect(await titles(books('{ title: { not: { longer: "3" } } }'))).toEqual(['It'])
    expect(await titles(books('{ author: { name: { longer: "3" } } }'))).toEqual([])
    expect(await titles(books('{ or: [{ title: { longer: "10" } }, { title: { eq: "It" } }] }'))).toEqual([
      'It',
      'Middlemarch',
    ])
  })

  it('takes variables, and finds nothing with no operand', async () => {
    expect(await titles(withLengths(['10']))).toEqual(['Middlemarch'])
    expect(await titles(withLengths([]))).toEqual([])
    expect(await titles(withLengths([null]))).toEqual([])
    expect(await titles(withLengths(null))).toEqual([])
    expect(await titles(books('{ or: [{ title: { longer: [] } }, { title: { eq: "It" } }] }'))).toEqual([
      'It',
    ])
  })

  it('refuses what it refuses in REST', async () => {
    const { body } = await books('{ title: { longer: "long" } }')
    expect(body.errors[0].message).toBe(
      'filters[title][$longer]: expected a whole number below 1,000,000, not "long".',
    )
    const other = await books('{ author: { email: { longer: "3" } } }')
    expect(other.body.errors[0].message).toMatch(/^filters\[author\]\[email\]\[\$longer\]: .*\$longer/)
  })

  it('is in the inputs of its scalars only', async () => {
    const printed = printedSchema(schemaText(server.octavo))
    expect(printed).toContain('  """has "more" characters than"""\n  longer: [String]\n}')
    expect(printed.match(/\blonger: /g)).toHaveLength(1)
    const { body } = await ask(url, '{ authors(filters: { age: { longer: "3" } }) { data { id } } }')
    expect(body.errors[0].message).toContain('Field "longer" is not defined by type "IntFilterInput"')
  })
})
