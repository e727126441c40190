import { computed, defineContentType, silentLogger, sql } from '@octavo/core'
import { describeServer, openapi } from '@octavo/plugin-openapi'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'
import type { Description } from './description.ts'

const from = { title: 'string' } as const
const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: {
    title: { type: 'string' },
    teaser: { type: 'string', computed: computed({ from, value: ({ title }) => title }) },
    length: {
      type: 'integer',
      description: 'Characters of the title.',
      computed: computed({ from, sql: ({ title }) => sql`length(${title})` }),
    },
  },
})

it('Computed attributes are described as read-only values, and those of expressions as filters', async () => {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes: [note],
    plugins: [openapi()],
    database: database.url,
    access: 'open',
    logger: silentLogger,
  })
  const { schemas } = (describeServer(server) as Description).components
  expect(schemas.NoteAttributes?.properties).toMatchObject({
    teaser: { type: ['string', 'null'], readOnly: true },
    length: { type: ['integer', 'null'], readOnly: true, description: 'Characters of the title.' },
  })
  expect(Object.keys(schemas.NoteFilters?.properties ?? {})).toContain('length')
  expect(Object.keys(schemas.NoteFilters?.properties ?? {})).not.toContain('teaser')
  for (const name of ['NoteCreate', 'NoteUpdate'])
    expect(Object.keys(schemas[name]?.properties ?? {})).toEqual(['title'])
  await server.close()
  await database.drop()
})
