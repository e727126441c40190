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

describe('After the import of an archive without the project', () => {
  it.each([
    ['export.tar.gz', {}],
    ['export.tar.gz.enc', { key: fixtureKey }],
  ])('%s: the recorded exchanges agree', async (name, options) => {
    const source = await openSource(fixture(name), options)
    site = await emptySite(source)
    await importStrapi(site.server.octavo, source, await source.outline())
    const { url } = await site.server.listen(0)
    const { agree, failures } = await replay(url)
    expect(failures).toEqual([])
    expect(agree).toBe(612)
  })
})
