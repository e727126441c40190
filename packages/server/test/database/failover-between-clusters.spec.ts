/** Failover between real PostgreSQL servers with streaming replication. Needs initdb and pg_basebackup. */
import { defineContentType } from '@octavo/core'
import { createClient, testEngine } from '@octavo/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createServer } from '../../src/index.ts'
import { binaries, Cluster } from '../support/cluster.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
})

const isAvailable = testEngine() === 'postgresql' && binaries !== undefined

describe.skipIf(!isAvailable)('A primary (with the programs of PostgreSQL installed)', () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  /** A server on a primary with a standby, of which both are in its URL. */
  async function serve() {
    const primary = await Cluster.create()
    closing.push(() => primary.remove())
    const standby = await primary.standby()
    closing.push(() => standby.remove())
    const server = await createServer({
      contentTypes: [note],
      database: `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`,
      access: 'open',
    })
    closing.push(() => server.close())
    const api = createClient((await server.listen(0, '127.0.0.1')).url)
    const post = (text: string) => api.post('/api/notes', { body: { data: { text } } })
    const code = async (): Promise<unknown> => (await post('refused')).body.error?.details.code
    const untilWritten = (text: string) =>
      expect.poll(async () => (await post(text)).status, { timeout: 60_000, interval: 50 }).toBe(200)
    expect((await post('before')).status).toBe(200)
    return { primary, standby, api, code, untilWritten }
  }

  it('that dies is replaced by the promoted standby', async () => {
    const { primary, standby, code, untilWritten } = await serve()
    await primary.kill()
    // The standby refuses writes until it is promoted, so it is not used.
    await expect.poll(code, { timeout: 60_000 }).toBe('database/unavailable')
    await standby.promote()
    await untilWritten('after')
  })

  it('that becomes read-only is replaced by the promoted standby', async () => {
    const { primary, standby, api, code, untilWritten } = await serve()
    await primary.becomeReadOnly()
    await expect.poll(code, { timeout: 60_000 }).toBe('database/read-only')
    expect((await api.get('/api/notes')).status).toBe(200)
    await standby.promote()
    await untilWritten('after')
    // Its connections are to the new primary now.
    await primary.kill()
    expect((await api.get('/api/notes')).status).toBe(200)
    expect(await code()).toBeUndefined()
  })
})
