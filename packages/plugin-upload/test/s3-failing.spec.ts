/** Uploads into a bucket that is slow, busy, away or lies: each is acknowledged when it is stored, or refused. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type Logger, silentLogger } from '@octavo/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type StorageProvider, s3 } from '../src/index.ts'
import { inTime, openBucket, sendFile } from '../src/storage/bucket.ts'
import { type Conduct, FakeBucket } from './s3-fake.ts'
import { form, openSite, type Site } from './site.ts'

const content = 'the text of a file, whose half is something else'
const bucket = new FakeBucket()
const errors: Error[] = []
const logger: Logger = {
  ...silentLogger,
  error: (fields) => void errors.push((fields as { readonly err: Error }).err),
}
const clientOf = (endpoint: string) => ({
  ...{ endpoint, region: 'us-east-1', forcePathStyle: true },
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
})
let endpoint: string
let provider: StorageProvider
let site: Site
beforeAll(async () => {
  endpoint = await bucket.listen()
  // Shorter than the defaults, and longer than the bucket takes where it is slow.
  const requestHandler = { connectionTimeout: 300, socketTimeout: 400 }
  provider = s3({ bucket: 'media', signedUrls: 60, client: { ...clientOf(endpoint), requestHandler } })
  site = await openSite({ provider }, { logger })
})
afterAll(async () => {
  await site?.close()
  await bucket.close()
})
beforeEach(async () => {
  bucket.others = 'fine'
  bucket.next()
  bucket.clock = () => new Date()
  bucket.stored.clear()
  errors.length = 0
  await site.server.octavo.store.query('delete from "files"')
})

const send = () => site.api.post('/api/upload', { body: form([{ content }]) })
const kept = () => [...bucket.stored.values()].map(String)
const refused = { status: 503, body: { error: { details: { code: 'upload/storage-unavailable' } } } }

const always = (conduct: Conduct): readonly Conduct[] => Array.from({ length: 20 }, () => conduct)

describe('an upload', () => {
  it.each<[string, readonly Conduct[]]>([
    ['is busy once', ['slow-down']],
    ['fails twice', ['failing', 'failing']],
    ['cuts the connection once', ['cut']],
    ['stores the file and cuts the connection', ['stored-and-cut']],
    ['does not answer once', ['silent']],
    ['is slow', ['slow']],
    ['gives another ETag', ['other-etag']],
  ])('is stored once, and acknowledged, when the bucket %s', async (_, conduct) => {
    bucket.next(...conduct)
    const { status, body } = await send()
    expect([status, kept(), await site.rows()]).toEqual([200, [content], { files: 1, links: 0 }])
    const key = `/media/${body[0].hash}.txt`
    expect([...bucket.stored.keys()]).toEqual([key])
  })

  it.each<[string, readonly Conduct[]]>([
    ['stays busy', always('slow-down')],
    ['keeps failing', always('failing')],
    ['cuts all connections', always('cut')],
    ['never answers', always('silent')],
    ['stores each file and never answers', always('stored-and-cut')],
    ['answers 200 with an error, and stores nothing', always('error-with-200')],
    ['acknowledges what it stored half of', always('half')],
    ['calls the connection too slow', always('request-timeout')],
  ])('is refused, and leaves nothing, when the bucket %s', async (_, conduct) => {
    bucket.next(...conduct)
    const answer = await send()
    expect(answer).toMatchObject(refused)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect([kept(), await site.rows()]).toEqual([[], { files: 0, links: 0 }])
    bucket.next()
    expect((await send()).status).toBe(200)
  })

  it('is refused when the bucket is away as a whole, with what it left', async () => {
    bucket.next(...always('half'))
    bucket.others = 'silent'
    expect(await send()).toMatchObject(refused)
    expect(await site.rows()).toEqual({ files: 0, links: 0 })
  }, 60_000)
})

describe('an upload in parts', () => {
  const large = 'octavo '.repeat(1_000_000)

  it.each<Conduct>(['slow-down', 'cut', 'silent', 'error-with-200'])(
    'is refused, and leaves no part, when the bucket is always %s',
    async (conduct) => {
      bucket.next(...always(conduct))
      const answer = await site.api.post('/api/upload', { body: form([{ content: large }]) })
      expect(answer).toMatchObject(refused)
      expect([kept(), bucket.unfinished.size, await site.rows()]).toEqual([[], 0, { files: 0, links: 0 }])
    },
  )

  it.each([content, large])('that takes too long ends with all its requests', async (text) => {
    const { sdk, storage, client } = await openBucket({ ...clientOf(endpoint), requestHandler: {} })
    bucket.next(...always('silent'))
    const params = { Bucket: 'media', Key: 'late.txt', Body: Readable.from([Buffer.from(text)]) }
    const sending = inTime(500, (stop) => sendFile({ sdk, storage, client }, params, stop))
    await expect(sending).rejects.toThrow(/abort/i)
    await expect.poll(() => [bucket.waiting.size, bucket.unfinished.size]).toEqual([0, 0])
    client.destroy()
  })
})

describe('a bucket that refuses a request', () => {
  it.each<[Conduct, string]>([
    ['denied', '403 AccessDenied: AccessDenied'],
    ['redirect', '301 PermanentRedirect: PermanentRedirect; it is in the region eu-central-1'],
  ])('is a 500 when it is %s, whose reason is in the log', async (conduct, reason) => {
    bucket.next(...always(conduct))
    expect((await send()).status).toBe(500)
    expect(errors.map(String)).toEqual([
      `Error: The storage "s3" failed in put: the bucket refused PutObject, ${reason}`,
    ])
    expect([kept(), await site.rows()]).toEqual([[], { files: 0, links: 0 }])
  })

  it('is named with its status where the answer has no body', async () => {
    bucket.others = 'denied'
    expect((await send()).status).toBe(500)
    expect(String(errors[0])).toBe(
      'Error: The storage "s3" failed in put: the bucket refused HeadObject, 403',
    )
    const start = (conduct: Conduct) => {
      bucket.others = conduct
      return openSite({ provider: s3({ bucket: 'media', signedUrls: 60, client: clientOf(endpoint) }) })
    }
    const reached = 'The bucket "media" cannot be reached: '
    await expect(start('redirect')).rejects.toThrow(`${reached}301; it is in the region eu-central-1`)
    await expect(start('bare-404')).rejects.toThrow(`${reached}404`)
  })
})

it('A file that a bucket has not is missing, also when its answer says so by the status alone', async () => {
  bucket.others = 'bare-404'
  expect(await provider.open('a.txt')).toBeUndefined()
})

it('media check removes no file that arrives where the clock of the bucket is behind', async () => {
  bucket.clock = () => new Date(Date.now() - 2 * 3_600_000)
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  try {
    const arriving = path.join(folder, 'a.txt')
    await writeFile(arriving, content)
    await provider.put('a.txt', { path: arriving, mime: 'text/plain', size: Buffer.byteLength(content) })
    const lines: string[] = []
    const command = site.server.octavo.commands.get('media check')
    await command?.run(site.server.octavo, new Set(['delete']), (line) => lines.push(line))
    expect([kept(), lines[0]]).toEqual([
      [content],
      'Files without a row, less than an hour old, which may be arriving: 1',
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})

describe('the replacement of a file', () => {
  it.each<Conduct>(['cut-halfway', 'silent-halfway', 'failing', 'error-with-200'])(
    'is refused, and changes nothing, when the bucket is %s as it sends the former file',
    async (conduct) => {
      const { body } = await send()
      bucket.others = conduct
      const replacement = form([{ content: 'another text' }])
      const answer = await site.api.post(`/api/upload?id=${body[0].id}`, { body: replacement })
      expect(answer).toMatchObject(refused)
      const file = (await site.api.get(`/api/upload/files/${body[0].id}`)).body
      expect([kept(), file]).toEqual([[content], body[0]])
    },
  )
})
