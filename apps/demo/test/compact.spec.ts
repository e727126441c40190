/** Issue 14, item 7: the JSON of every answer has no whitespace outside of its strings. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DataFile, importData, loadContentTypes } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { type Client, type ClientResponse, createClient, createTestDatabase } from '@octavo/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Hundreds of recorded exchanges are sent, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const recorded = fileURLToPath(new URL('../../../conformance/', import.meta.url))

/** Whitespace outside of strings, with the text around it. */
const spaces = (json: string): string | undefined =>
  /.{0,40}\s.{0,20}/s.exec(json.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '""'))?.[0]

let server: Server
let api: Client
let token: string
let clean: () => Promise<void>

beforeAll(async () => {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  server = await createServer({
    ...loadContentTypes(`${recorded}schemas`),
    plugins: [i18n(), draftPublish(), usersPermissions(), upload({ provider: localDisk({ folder }) })],
    database: database.url,
    rateLimit: false,
    api: { rest: { bulk: true } },
  })
  await importData(server.octavo, JSON.parse(await readFile(`${recorded}seed.json`, 'utf8')) as DataFile)
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  clean = async () => {
    await server.close()
    await database.drop()
    await rm(folder, { recursive: true })
  }
  const login = { identifier: 'reader', password: 'Password123' }
  const { body } = await api.post('/api/auth/local', { body: login })
  token = body.jwt
})
afterAll(() => clean())

const isJson = ({ headers, text }: ClientResponse) =>
  text !== '' && headers.get('content-type')?.startsWith('application/json') === true

describe('an answer is compact', () => {
  it('to every recorded request', async () => {
    const { exchanges } = JSON.parse(await readFile(`${recorded}cases.json`, 'utf8')) as {
      readonly exchanges: readonly { id: string; path: string; method?: string; as?: string }[]
    }
    const loose: string[] = []
    let seen = 0
    for (const { id, path: url, method = 'GET', as } of exchanges) {
      if (method !== 'GET') continue
      const answer = await api.get(url, { token: as === 'reader' ? token : undefined })
      if (!isJson(answer)) continue
      seen++
      const found = spaces(answer.text)
      if (found !== undefined) loose.push(`${id}: ${found}`)
    }
    expect(loose).toEqual([])
    expect(seen).toBeGreaterThan(350)
  })

  it('to writes, files, users, roles, locales and errors', async () => {
    const send = async (method: string, url: string, body?: unknown): Promise<ClientResponse> => {
      const answer = await api.request(method, url, { body, token })
      expect([url, isJson(answer), spaces(answer.text)]).toEqual([url, true, undefined])
      return answer
    }
    const created = await send('POST', '/api/restaurants?populate=*', {
      data: { name: 'A, "b": c', tags: ['a, b', { 'c: d': [1, 2] }] },
    })
    expect(created.text).toContain('["a, b",{"c: d":[1,2]}]')
    const { id } = created.body.data
    await send('PUT', `/api/restaurants/${id}?populate=*`, { data: { tags: { a: { b: [] } } } })
    await send('DELETE', `/api/restaurants/${id}`)
    await send('GET', `/api/restaurants/${id}`)
    await send('POST', '/api/restaurants/actions/bulk', { create: [{ name: 'One' }, { name: 'Two' }] })
    await send('GET', '/api/articles?filters[no]=1')

    const form = new FormData()
    const picture = sharp({ create: { width: 1200, height: 800, channels: 3, background: '#048' } })
    form.append(
      'files',
      new Blob([new Uint8Array(await picture.png().toBuffer())], { type: 'image/png' }),
      'a, b.png',
    )
    const uploaded = await send('POST', '/api/upload', form)
    expect(uploaded.body[0].formats.small.width).toBe(500)
    for (const url of [
      '/api/upload/files',
      `/api/upload/files/${uploaded.body[0].id}`,
      '/api/users?populate=*',
      '/api/users/me',
      '/api/users-permissions/roles',
      '/api/i18n/locales',
      '/api/articles?populate=*&locale=all&pagination[pageSize]=100',
      '/api/articles?populate[blocks][populate]=*&populate[cover]=*&populate[author][populate]=*',
      '/api/articles?sort=title&pagination[after]=&pagination[pageSize]=5',
      '/api/homepage?populate=*&locale=all',
    ])
      await send('GET', url)
  })
})
