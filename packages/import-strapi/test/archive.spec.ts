import { runs } from '@octavo/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { importStrapi, openSource } from '../src/index.ts'
import { emptySite, fixture, fixtureKey, replay, type Site } from './fixture.ts'

// Hundreds of recorded requests follow an import, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let site: Site | undefined
afterEach(async () => {
  await site?.close()
  site = undefined
})

/** Of the encrypted archive, whose content is the same, the filters; each night all. */
const encrypted = runs(0, 1) === 1 ? ([undefined, 612] as const) : (['filters', 114] as const)

describe('After the import of an archive without the project', () => {
  it.each([
    ['export.tar.gz', {}, undefined, 612],
    ['export.tar.gz.enc', { key: fixtureKey }, ...encrypted],
  ] as const)('%s: the recorded exchanges agree', async (name, options, group, count) => {
    const source = await openSource(fixture(name), options)
    site = await emptySite(source)
    await importStrapi(site.server.octavo, source, await source.outline())
    const { url } = await site.server.listen(0)
    const { agree, failures } = await replay(url, group)
    expect(failures).toEqual([])
    expect(agree).toBe(count)
  })
})
