import { type ContentTypeDefinition, createOctavo, silentLogger } from '@octavo/core'
import { planSchema } from '@octavo/core/internal'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { expect, it, vi } from 'vitest'

// A busy machine takes long to start Octavo four times.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const note = (attributes: ContentTypeDefinition['attributes']): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { form: { type: 'enumeration', enum: ['news', 'review', 'it’s "old"'] }, ...attributes },
})

// The embedded engine in memory ends with its octavo.
it.runIf(testEngine() !== 'pglite')(
  'The check of the schema counts values that rules of today refuse',
  async () => {
    const database = await createTestDatabase()
    const former = { contentTypes: [note({ pages: { type: 'integer' }, title: { type: 'string' } })] }
    const octavo = await createOctavo({ ...former, database: database.url, logger: silentLogger })
    const notes = octavo.entries('note')
    await notes.create({ form: 'news', pages: 3, title: 'short' })
    await notes.create({ form: 'it’s "old"', pages: 7, title: 'far too long' })
    await notes.create({ form: 'it’s "old"', pages: 12, title: null })
    await notes.create({ form: 'review', pages: null, title: 'ends' })
    await octavo.close()

    const warningsOf = async (attributes: ContentTypeDefinition['attributes']) =>
      (await planSchema({ contentTypes: [note(attributes)], database: database.url })).warnings
    const same = { pages: { type: 'integer', min: 3, max: 12 }, title: { type: 'string', maxLength: 12 } }
    expect(await warningsOf(same)).toEqual([])
    const narrowed = {
      form: { type: 'enumeration', enum: ['news', 'essay'] },
      pages: { type: 'integer', min: 4, max: 10 },
      title: { type: 'string', maxLength: 5 },
      // A column that is not there yet.
      summary: { type: 'string', maxLength: 5 },
    }
    const after = '. They are still read; a write that sends one is refused.'
    expect(await warningsOf(narrowed)).toEqual([
      `api::note.note: its definition refuses stored values of "form" (3), such as "it’s \\"old\\"", "review"${after}`,
      `api::note.note: its definition refuses stored values of "pages" (2), such as "12", "3"${after}`,
      `api::note.note: its definition refuses stored values of "title" (1), such as "far too long"${after}`,
    ])
    await database.drop()
  },
)
