/** The database is slow, full or gone while the rows of an upload are written: 503, and neither a row nor a file is left. */
import { sql } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createClient } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

/** The SQLSTATE that the statement of another plugin fails with, and how often. */
let state = ''
let times = 0
const raises = definePlugin({
  name: 'raises',
  setup(host) {
    host.hook('entry:afterCreate', async ({ type, entries }) => {
      if (type.uid !== 'plugin::upload.file' || times === 0) return
      times -= 1
      await entries.run(sql`select raised(${state})`)
    })
  },
})

let site: Site
beforeAll(async () => {
  site = await openSite({}, { others: [raises] })
  await site.server.octavo.store.query(
    `create function raised(state text) returns void language plpgsql as $$ begin raise exception using errcode = state; end $$`,
  )
})
afterAll(() => site?.close())

function upload() {
  const body = new FormData()
  body.append('files', new Blob(['text of a file']), 'note.txt')
  return createClient(site.url).post('/api/upload', { body })
}

describe('an upload', () => {
  it.each([
    ['57014', 'database/timeout'],
    ['57P01', 'database/unavailable'],
    ['53100', 'database/full'],
  ])('whose transaction fails with %s is a 503 and leaves nothing', async (given, code) => {
    state = given
    times = 1
    const { status, body } = await upload()
    expect([status, body.error.details.code]).toEqual([503, code])
    expect(await site.kept()).toEqual([])
    expect(await site.rows()).toEqual({ files: 0, links: 0 })
  })

  it('whose transaction meets a deadlock is stored once', async () => {
    state = '40P01'
    times = 2
    expect((await upload()).status).toBe(200)
    expect(await site.kept()).toHaveLength(1)
    expect((await site.rows()).files).toBe(1)
  })
})
