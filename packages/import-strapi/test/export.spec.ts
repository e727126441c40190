import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Store } from '@octavo/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyFiles, exportStrapi, importStrapi, openSource, toDefinitions } from '../src/index.ts'
import { emptySite, fixture, type Site } from './fixture.ts'

let folder: string
let site: Site
let archive: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-export-'))
  archive = path.join(folder, 'export.tar.gz')
  const source = await openSource(fixture('export.tar.gz'))
  site = await emptySite(source)
  await copyFiles(source, site.folder)
  await importStrapi(site.server.octavo, source, await source.outline())
  const { store } = site.server.octavo
  await store.query(`insert into "octavo_upload_folders" ("id", "name", "parent_id", "path", "created_at", "updated_at")
    values (4, 'Photos', null, '/4', now(), now()), (2, '2024', 4, '/4/2', now(), now()), (5, 'Empty', null, '/5', now(), now())`)
  await store.query(`update "files" set "folder_path" = '/4/2' where "id" = 3`)
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

describe('An archive that Octavo exports', () => {
  it('has the parts that strapi import requires, and all files', async () => {
    const result = await exportStrapi(site.server.octavo, archive, { media: site.folder })
    // Three folders and two links besides.
    expect(result).toEqual({ entries: 228 + 3, links: 546 + 2, missing: [] })
    const source = await openSource(archive)
    const { version, settings } = await source.outline()
    expect(version).toBe('4.26.2')
    expect(settings).toEqual([{ key: 'plugin_i18n_default_locale', value: 'en' }])
    let files = 0
    for await (const _ of source.files()) files++
    expect(files).toBe(25)
  })

  it('may take as long as its files need: PostgreSQL does not end the transaction that waits for them', async () => {
    const { octavo } = site.server
    const limits: unknown[] = []
    const transaction: Store['transaction'] = (work) =>
      octavo.store.transaction(async (tx) => {
        const result = await work(tx)
        for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout'])
          limits.push(...(await tx.query('select current_setting($1)', [setting])).flat())
        return result
      })
    const observed = {
      ...octavo,
      registry: octavo.registry,
      sections: octavo.sections,
      store: { ...octavo.store, transaction },
    }
    await exportStrapi(observed, path.join(folder, 'second.tar.gz'))
    expect(limits).toEqual(['0', '0'])
  })

  it('has the links of the archive that was imported, with their orders', async () => {
    const links = async (file: string): Promise<readonly string[]> => {
      const lines: string[] = []
      for await (const batch of (await openSource(file)).links())
        for (const { left, right } of batch)
          if (
            !left.type.startsWith('plugin::users-permissions') &&
            left.field !== 'folder' &&
            left.field !== 'parent'
          )
            lines.push(`${left.type} ${left.field} ${left.ref} ${right.type} ${right.field} ${right.ref}`)
      return lines.sort()
    }
    expect(await links(archive)).toEqual(await links(fixture('export.tar.gz')))
  })

  it('is imported back unchanged', async () => {
    const source = await openSource(archive)
    const outline = await source.outline()
    expect(toDefinitions(outline.schemas).contentTypes).toHaveLength(8)
    const other = await emptySite(source)
    try {
      const original = await openSource(fixture('export.tar.gz'))
      const { comparisons } = await importStrapi(other.server.octavo, source, outline)
      const third = await emptySite(original)
      try {
        const first = await importStrapi(third.server.octavo, original, await original.outline())
        expect(comparisons).toEqual(first.comparisons)
      } finally {
        await third.close()
      }
      const [[path] = []] = await other.server.octavo.store.query(
        'select "folder_path" from "files" where "id" = 3',
      )
      expect(path).toBe('/4/2')
      const folders =
        'select "id", "name", "parent_id", "path", "created_at" from "octavo_upload_folders" order by "id"'
      expect(await other.server.octavo.store.query(folders)).toEqual(
        await site.server.octavo.store.query(folders),
      )
    } finally {
      await other.close()
    }
  })
})
