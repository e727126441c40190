import { type DumpDatabase, restoreDump, runs, serverUrl } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { importStrapi, openSource } from '../src/index.ts'
import { emptySite, fixture, replay } from './fixture.ts'

// Hundreds of recorded requests follow an import, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let dump: DumpDatabase | undefined
beforeAll(async () => {
  dump = await restoreDump(fixture('database.sql.gz'))
  // A database may print dates and numbers in its own way.
  for (const setting of ["datestyle to 'SQL, DMY'", "timezone to 'Asia/Kolkata'", 'extra_float_digits to -3'])
    await dump?.run(
      `do $$ begin execute format('alter database %I set ${setting.replaceAll("'", "''")}', current_database()); end $$`,
    )
})
afterAll(() => dump?.drop())

/** The components of the project, as its folder has them. */
async function components() {
  const { schemas } = await (await openSource(fixture('export.tar.gz'))).outline()
  return schemas.filter(({ modelType }) => modelType === 'component')
}

// The source is a PostgreSQL server, whatever the engine of the target.
describe.runIf(serverUrl())('After the import of a database without the project', () => {
  it('the recorded exchanges agree, but for the rules of components, which no table has', async () => {
    const source = await openSource(dump?.url ?? '')
    const site = await emptySite(source)
    try {
      const outline = await source.outline()
      expect(outline.notes).toEqual([expect.stringContaining('the rules of 10 components')])
      await importStrapi(site.server.octavo, source, outline)
      const { url } = await site.server.listen(0)
      // The writes, for which there are rules; each night all.
      const { agree, failures } = await replay(url, runs(0, 1) === 1 ? undefined : 'write')
      expect(failures.map((line) => line.split(' ')[0])).toEqual([
        'validation/19',
        'validation/32',
        'validation/33',
        'validation/34',
        'validation/35',
        'validation/38',
        'components/1',
        'components/2',
        'components/6',
      ])
      expect(agree).toBe(runs(142, 612) - 9)
    } finally {
      await site.close()
      await source.close()
    }
  })

  it('the recorded exchanges agree with the components of the project', async () => {
    const source = await openSource(dump?.url ?? '', { components: await components() })
    const site = await emptySite(source)
    try {
      await importStrapi(site.server.octavo, source, await source.outline())
      const { url } = await site.server.listen(0)
      // The rows are compared with those of the archive below, which gets all exchanges.
      const { agree, failures } = await replay(url, runs(0, 1) === 1 ? undefined : 'write')
      expect(failures).toEqual([])
      expect(agree).toBe(runs(142, 612))
    } finally {
      await site.close()
      await source.close()
    }
  })

  it('has the same rows and links as the archive of the same project', async () => {
    const archive = await openSource(fixture('export.tar.gz'))
    const database = await openSource(dump?.url ?? '', { components: await components() })
    const figures = []
    try {
      for (const source of [archive, database]) {
        const site = await emptySite(archive)
        try {
          const { comparisons } = await importStrapi(site.server.octavo, source, await source.outline())
          figures.push(comparisons)
        } finally {
          await site.close()
        }
      }
    } finally {
      await database.close()
    }
    expect(figures[1]).toEqual(figures[0])
  })

  it('infers that an attribute with hashes only is a password', async () => {
    const url = dump?.url ?? ''
    const hash = '$2a$10$ZcRs05ZMp0oWoo3jpDovAO/TpcwKKyvbk1XdqJB5GFOhYpdWlM2se'
    await dump?.run(`update components_shared_links set url = '${hash}' where url is not null`)
    const source = await openSource(url)
    try {
      const { schemas } = await source.outline()
      const link = schemas.find(({ uid }) => uid === 'shared.link')
      expect(link?.attributes.url).toEqual({ type: 'password' })
      expect(link?.attributes.label).toEqual({ type: 'string' })
    } finally {
      await source.close()
    }
  })

  it('reads the database as it was when it was opened', async () => {
    const source = await openSource(dump?.url ?? '')
    try {
      await dump?.run(`insert into tags (id, name) values (9001, 'late')`)
      const ids: number[] = []
      for await (const batch of source.entities())
        ids.push(...batch.filter(({ type }) => type === 'api::tag.tag').map(({ id }) => id))
      expect(ids).toHaveLength(5)
    } finally {
      await dump?.run('delete from tags where id = 9001')
      await source.close()
    }
  })
})
