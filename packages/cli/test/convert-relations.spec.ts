import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOctavo, loadContentTypes, type Octavo } from '@octavo/core'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { program } from '../src/program/program.ts'

let folder: string
let database: TestDatabase
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-convert-'))
  await mkdir(join(folder, 'content-types'))
  database = await createTestDatabase()
  url = testEngine() === 'pglite' ? `file:${folder}/data` : database.url
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Writes the content-types: a book has tags by this kind of relation. */
async function define(relation: 'manyToOne' | 'manyToMany'): Promise<void> {
  const type = (name: string, attributes: object) =>
    writeFile(
      join(folder, 'content-types', `${name}.json`),
      JSON.stringify({
        kind: 'collectionType',
        info: { singularName: name, pluralName: `${name}s` },
        attributes,
      }),
    )
  await type('tag', { name: { type: 'string' } })
  await type('book', { tag: { type: 'relation', relation, target: 'api::tag.tag' } })
}

async function use<T>(work: (octavo: Octavo) => Promise<T>): Promise<T> {
  const octavo = await createOctavo({ ...loadContentTypes(folder), database: url })
  try {
    return await work(octavo)
  } finally {
    await octavo.close()
  }
}

/** Runs the command. @returns what it prints, and its exit code */
async function convert(...flags: readonly string[]) {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const before = process.exitCode
  try {
    await program().parseAsync([
      ...['node', 'octavo', 'convert-relations', ...flags],
      ...['--content', folder, '--database', url],
    ])
    return { out: log.mock.calls.join('\n'), code: process.exitCode ?? 0 }
  } finally {
    log.mockRestore()
    process.exitCode = before
  }
}

it('octavo convert-relations moves links, and names the entries whose links do not fit', async () => {
  await define('manyToOne')
  await use(async (octavo) => {
    for (const name of ['novel', 'poem']) await octavo.entries('tag').create({ name })
    for (const tag of [1, 2]) await octavo.entries('book').create({ tag })
  })
  expect(await convert()).toEqual({ out: 'No relation has links of another kind', code: 0 })

  await define('manyToMany')
  expect(await convert('--dry-run')).toEqual({
    out: 'api::book.book.tag: 2 links would be moved into its table of links',
    code: 0,
  })
  expect(await convert()).toEqual({
    out: 'api::book.book.tag: 2 links moved into its table of links',
    code: 0,
  })
  const tagsOf = (id: number) =>
    use((octavo) => octavo.entries('book').findOne(id, { populate: ['tag'] })).then((book) =>
      JSON.stringify(book?.attributes.tag),
    )
  expect(await tagsOf(2)).toContain('"name":"poem"')

  await use((octavo) => octavo.entries('book').update(2, { tag: [1, 2] }))
  await define('manyToOne')
  expect(await convert()).toEqual({
    out: [
      'api::book.book.tag: 3 links not moved into its column, since these do not fit:',
      '  2 is linked to several: 1, 2',
    ].join('\n'),
    code: 1,
  })
})
