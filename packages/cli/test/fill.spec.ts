import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unrestricted } from '@octavo/core'
import { createServer } from '@octavo/server'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { serverOptions } from '../src/index.ts'
import { program } from '../src/program/program.ts'

let folder: string
let database: TestDatabase
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-fill-'))
  await mkdir(join(folder, 'content-types'))
  database = await createTestDatabase()
  url = testEngine() === 'pglite' ? `file:${folder}/data` : database.url
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Writes the content-type: notes with drafts in two languages. */
const define = (attributes: object) =>
  writeFile(
    join(folder, 'content-types', 'note.json'),
    JSON.stringify({
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes' },
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: { title: { type: 'string', pluginOptions: { i18n: { localized: true } } }, ...attributes },
    }),
  )

const run = async (...words: readonly string[]) => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await program().parseAsync(['node', 'octavo', ...words, '--content', folder, '--database', url])
    return log.mock.calls.join('\n')
  } finally {
    log.mockRestore()
  }
}

/** Runs `work` with the server of the content. */
async function use<T>(work: (octavo: Awaited<ReturnType<typeof createServer>>['octavo']) => Promise<T>) {
  const server = await createServer(await serverOptions({ content: folder, database: url }))
  try {
    return await work(server.octavo)
  } finally {
    await server.close()
  }
}

const localized = { pluginOptions: { i18n: { localized: true } } }

it('octavo migrate fill gives entries of every kind a value, with the checks of a write, and overwrites none', async () => {
  await define({})
  await use(async (octavo) => {
    const notes = octavo.entries('note', unrestricted('fills the test'))
    for (let i = 0; i < 205; i++)
      await notes.create({ title: `n${i}`, publishedAt: i % 2 ? new Date() : null })
  })
  await define({
    form: { type: 'enumeration', enum: ['news', 'essay'], default: 'news', ...localized },
    summary: { type: 'string', required: true, maxLength: 8, ...localized },
    code: { type: 'string', required: true, unique: true },
    extra: { type: 'json' },
    shared: { type: 'integer', required: true },
  })
  await use(async ({ store }) => {
    await store.query(`update notes set summary = 'own' where id = 2`)
  })
  expect(await run('migrate', 'fill')).toBe(
    [
      'api::note.note.form has a default, and 205 entries have no value: octavo migrate fill notes.form',
      'api::note.note.summary is required, and 101 entries have no value: octavo migrate fill notes.summary --value …',
      'api::note.note.code is required, and 102 entries have no value: octavo migrate fill notes.code --value …',
      'api::note.note.shared is required, and 102 entries have no value: octavo migrate fill notes.shared --value …',
    ].join('\n'),
  )
  const checked = await run('check')
  const isServer = testEngine() !== 'pglite'
  expect(checked.includes('api::note.note.summary is required, and 101 entries have no value')).toBe(isServer)
  expect(await run('check', '--schema')).toContain('api::note.note.form has a default, and 205 entries')

  expect(await run('migrate', 'fill', 'notes.form', '--dry-run')).toBe(
    'api::note.note.form: 205 entries would get a value',
  )
  expect(await run('migrate', 'fill', 'note.form')).toBe('api::note.note.form: 205 entries filled')
  expect(await run('migrate', 'fill', 'api::note.note.summary', '--value', 'later')).toBe(
    'api::note.note.summary: 204 entries filled',
  )
  expect(await run('migrate', 'fill', 'notes.shared', '--value', '7')).toBe(
    'api::note.note.shared: 205 entries filled',
  )
  expect(await run('migrate', 'fill', 'notes.extra', '--value', '{"a":1}')).toBe(
    'api::note.note.extra: 205 entries filled',
  )
  expect(await run('migrate', 'fill', 'notes.form')).toBe('api::note.note.form: every entry has a value')

  for (const [words, message] of [
    [['notes.code', '--value', 'x'], 'api::note.note.code is unique, and 205 entries have no value'],
    [['notes.code'], 'has no default: give a value with --value'],
    [['note.sumary', '--value', 'x'], 'does not exist; did you mean "summary"?'],
    [
      ['nots.summary', '--value', 'x'],
      'nots.summary is no attribute of a content-type; write it as articles.summary; did you mean "notes"?',
    ],
    [['summary'], 'summary is no attribute of a content-type'],
    [['notes.localizations', '--value', '1'], 'is no attribute that this command fills'],
    [['notes.publishedAt'], 'is no attribute that this command fills$'],
    [['notes.extra', '--value', '{'], 'every entry has a value|--value must be JSON'],
    [['--value', 'x'], '--value needs an attribute'],
  ] as const)
    await expect(run('migrate', 'fill', ...words)).rejects.toThrow(new RegExp(message.replace('?', '\\?')))
  await use(async ({ store }) => {
    expect(
      await store.query(
        `select form, summary, shared, extra::text, count(*)::int from notes group by 1, 2, 3, 4 order by 2`,
      ),
    ).toEqual([
      ['news', 'later', '7', '{"a": 1}', '204'],
      ['news', 'own', '7', '{"a": 1}', '1'],
    ])
    await store.query('update notes set summary = null where id = 1')
  })
  await expect(run('migrate', 'fill', 'notes.summary', '--value', 'much too long')).rejects.toThrow(
    'summary must be at most 8 characters',
  )
}, 90_000)

// The embedded database belongs to the command while it runs.
it.runIf(testEngine() === 'postgresql')(
  'octavo migrate fill goes on when somebody deletes an entry of its batch',
  async () => {
    await define({ late: { type: 'string' } })
    await use(async ({ store, entries }) => {
      const note = await entries('note', unrestricted('fills the test')).create({ title: 'gone soon' })
      const lacking = await store.query('select 1 from notes where late is null')
      let filling: Promise<string> | undefined
      await store.transaction(async (tx) => {
        await tx.query(`delete from notes where id = ${note.id}`)
        filling = run('migrate', 'fill', 'notes.late', '--value', 'x')
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        await expect.poll(async () => (await store.query(waiting)).length, { timeout: 60_000 }).toBe(1)
      })
      expect(await filling).toBe(`api::note.note.late: ${lacking.length - 1} entries filled`)
    })
  },
  90_000,
)
