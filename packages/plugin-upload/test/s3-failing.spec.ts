/** Uploads into a bucket that is slow, busy, away or lies: each is acknowledged when it is stored, or refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { s3 } from '../src/index.ts'
import { type Conduct, FakeBucket } from './s3-fake.ts'
import { form, openSite, type Site } from './site.ts'

const content = 'the text of a file, whose half is something else'
const bucket = new FakeBucket()
let site: Site
beforeAll(async () => {
  const endpoint = await bucket.listen()
  site = await openSite({
    provider: s3({
      bucket: 'media',
      signedUrls: 60,
      client: {
        ...{ endpoint, region: 'us-east-1', forcePathStyle: true },
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
        // Shorter than the defaults, and longer than the bucket takes where it is slow.
        requestHandler: { connectionTimeout: 300, socketTimeout: 400 },
      },
    }),
  })
})
afterAll(async () => {
  await site?.close()
  await bucket.close()
})
beforeEach(async () => {
  bucket.others = 'fine'
  bucket.next()
  bucket.stored.clear()
  await site.server.octavo.store.query('delete from "files"')
})

const send = () => site.api.post('/api/upload', { body: form([{ content }]) })
const kept = () => [...bucket.stored.values()].map(String)
const refused = { status: 503, body: { error: { details: { code: 'upload/storage-unavailable' } } } }

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

  const always = (conduct: Conduct): readonly Conduct[] => Array.from({ length: 20 }, () => conduct)
  it.each<[string, readonly Conduct[]]>([
    ['stays busy', always('slow-down')],
    ['keeps failing', always('failing')],
    ['cuts all connections', always('cut')],
    ['never answers', always('silent')],
    ['stores each file and never answers', always('stored-and-cut')],
    ['answers 200 with an error, and stores nothing', always('error-with-200')],
    ['acknowledges what it stored half of', always('half')],
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

describe('the replacement of a file', () => {
  it.each<Conduct>(['cut-halfway', 'silent-halfway', 'failing'])(
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
