import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ContentTypeDefinition } from '@octavo/core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launch } from './entry/visit.ts'
import { openDesk } from './reading-room.ts'

export interface Room {
  readonly site: Awaited<ReturnType<typeof openDesk>>
  readonly browser: Browser
}

/** The reading room and a browser, which are open during the tests of the `describe` that calls it, and not before. @param types Further types. */
export function openRoom(types: readonly ContentTypeDefinition[] = []): Room {
  let folder: string | undefined
  let site: Room['site']
  let browser: Browser
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'octavo-desk-'))
    site = await openDesk(folder, [], types)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })
  return {
    get site() {
      return site
    },
    get browser() {
      return browser
    },
  }
}
