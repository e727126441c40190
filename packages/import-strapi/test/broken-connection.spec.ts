import { restoreDump, serverUrl, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { importStrapi, openSource } from '../src/index.ts'
import { emptySite, fixture } from './fixture.ts'

// An import takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const end = (which: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${which}`

let dump: Awaited<ReturnType<typeof restoreDump>>
beforeAll(async () => {
  dump = await restoreDump(fixture('database.sql.gz'))
})
afterAll(() => dump?.drop())

describe.runIf(serverUrl())('An import says that nothing was imported when a connection breaks', () => {
  it.runIf(testEngine() === 'postgresql')('to the database that it fills', async () => {
    const source = await openSource(fixture('export.tar.gz'))
    const site = await emptySite(source)
    const { octavo } = site.server
    const copyFiles = async () => void (await octavo.store.query(end(`state = 'idle in transaction'`)))
    await expect(importStrapi(octavo, source, await source.outline(), { copyFiles })).rejects.toThrow(
      /^Nothing was imported: The database does not answer\. It is gone: \w/,
    )
    expect(await octavo.store.query('select 1 from articles')).toEqual([])
    await site.close()
    await source.close()
  })

  it('to the database that it reads', async () => {
    const source = await openSource(dump?.url ?? '')
    const site = await emptySite(source)
    const { octavo } = site.server
    const copyFiles = async () => void (await dump?.run(end(`application_name = 'octavo import'`)))
    await expect(importStrapi(octavo, source, await source.outline(), { copyFiles })).rejects.toThrow(
      /^Nothing was imported: \S+ in the database cannot be read: /,
    )
    await site.close()
    await source.close()
  })
})
