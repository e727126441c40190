import { createOctavo, defineContentType, silentLogger } from '@octavo/core'
import { planSchema } from '@octavo/core/internal'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { expect, it } from 'vitest'

const note = (attributes: object) =>
  defineContentType({
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes' },
    attributes: { title: { type: 'string' }, ...attributes },
  })
const more = {
  form: { type: 'string', default: 'news' },
  code: { type: 'string', required: true },
  free: { type: 'string' },
} as const

it('New attributes that are required or have a default are said at the start, in tables with rows', async () => {
  const database = await createTestDatabase()
  const start = async (attributes: object, entries: number): Promise<readonly string[]> => {
    const warnings: string[] = []
    const octavo = await createOctavo({
      contentTypes: [note(attributes)],
      database: database.url,
      logger: { ...silentLogger, warn: (_, message) => void warnings.push(message) },
    })
    for (let i = 0; i < entries; i++) await octavo.entries('note').create({ title: String(i) })
    await octavo.close()
    return warnings
  }
  expect(await start({ first: { type: 'string', required: false, default: 'x' } }, 2)).toEqual([])
  const said = [
    'api::note.note: the new attribute "form" has a default for new entries, and the 2 entries that are there have no value. To fill it: octavo migrate fill api::note.note.form, or update "notes" set "form" = … where "form" is null',
    'api::note.note: the new attribute "code" is required, and the 2 entries that are there have no value: an update that sends it as null is refused. To fill it: octavo migrate fill api::note.note.code --value …, or update "notes" set "code" = … where "code" is null',
  ]
  const all = { first: { type: 'string' }, ...more } as const
  // The embedded engine in memory ends with its octavo.
  if (testEngine() !== 'pglite') {
    const planned = await planSchema({ contentTypes: [note(all)], database: database.url })
    expect(planned.warnings).toEqual(said)
    expect(await start(all, 0)).toEqual(said)
    expect(await start(all, 0)).toEqual([])
  }
  await database.drop()
})
