/** Rows that Strapi's tables allow and its routes would refuse: an import takes them, so a backup must give them back. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { exportData, importData, type Octavo } from '@octavo/core'
import { expect, it } from 'vitest'
import { importStrapi, openSource, type Problem } from '../src/index.ts'
import { changedArchive, type Lines } from './archives.ts'
import { emptySite, type Site } from './fixture.ts'

const user = 'plugin::users-permissions.user'
const file = 'plugin::upload.file'
const article = 'api::article.article'
const withoutParts = { blocks: [], links: [], seo: null }

/** Entries, each as the first of its type in all but these values. */
const odd: readonly (readonly [string, object])[] = [
  [user, { username: null, email: 'nobody@example.org' }],
  [user, { username: 'nameless', email: null }],
  [user, { username: 'reader@example.org', email: 'other@example.org' }],
  [file, { hash: null }],
  [file, { mime: null }],
  [file, { name: null }],
  [file, { url: null }],
  [file, { provider: null }],
  [article, { ...withoutParts, locale: 'xx', slug: 'in-a-locale-that-is-not-listed' }],
  [article, { ...withoutParts, locale: null, slug: 'without-a-locale' }],
]

function addAll({ entities }: Lines): void {
  for (const [i, [type, values]] of odd.entries()) {
    const first = entities.find((entity) => entity.type === type)
    if (!first) throw new Error(`The fixture has no ${type}`)
    entities.push({ ...first, id: 901 + i, data: { ...first.data, ...values } })
  }
}

async function exported(octavo: Octavo) {
  const pieces: string[] = []
  await exportData(octavo, (piece) => void pieces.push(piece))
  const data = JSON.parse(pieces.join(''))
  // The looks of names are computed by a start, and the version of a user counts from its import.
  for (const row of data.entries[user])
    for (const derived of ['usernameLook', 'usernameWrittenLook', 'tokenVersion']) delete row[derived]
  return data
}

it('are restored from an export as they were imported', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-restored-'))
  const archive = path.join(folder, 'odd.tar.gz')
  await changedArchive(archive, addAll)
  const source = await openSource(archive)
  const sites: Site[] = [await emptySite(source), await emptySite(source)]
  try {
    const [from, to] = sites as [Site, Site]
    const problems: Problem[] = []
    const { octavo } = from.server
    await importStrapi(octavo, source, await source.outline(), {
      onProblem: (problem) => void problems.push(problem),
    })
    expect(problems.filter(({ id }) => id > 900)).toEqual([])
    for (const [i, [type]] of odd.entries())
      expect(
        (
          await octavo.store.query(
            `select "id" from "${octavo.registry.contentType(type).table}" where "id" = ${901 + i}`,
          )
        ).length,
        type,
      ).toBe(1)
    const backup = await exported(octavo)
    await importData(to.server.octavo, structuredClone(backup))
    expect(await exported(to.server.octavo)).toEqual(backup)
  } finally {
    for (const site of sites) await site.close()
    await source.close()
    await rm(folder, { recursive: true })
  }
})
