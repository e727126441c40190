import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer, get, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportData, importData } from '@octavo/core'
import { createTestDatabase, runs } from '@octavo/testing'
import S3rver from 's3rver'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { s3 } from '../src/index.ts'
import { raw } from './raw.ts'
import { form, openSite, picture, type Site } from './site.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe('GET /uploads/:name', () => {
  let site: Site
  let url: string
  beforeAll(async () => {
    site = await openSite()
    const { body } = await site.api.post('/api/upload', {
      body: form([{ name: 'digits.txt', content: '0123456789' }]),
    })
    url = site.url + body[0].url
  })
  afterAll(() => site.close())

  it('sends the file with headers for caches and browsers', async () => {
    const response = await fetch(url)
    expect([response.status, await response.text()]).toEqual([200, '0123456789'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=60',
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.any(String),
      'last-modified': expect.any(String),
    })
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10'])
  })

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
  ])('answers the range %s', async (range, status, text, contentRange) => {
    const response = await fetch(url, { headers: { range } })
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ])
  })

  it('refuses a range beyond the file with the error envelope', async () => {
    const response = await fetch(url, { headers: { range: 'bytes=20-30' } })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10'])
    expect(await response.json()).toMatchObject({ data: null, error: { status: 416 } })
  })

  it('answers 304 when the file has not changed', async () => {
    const first = await fetch(url)
    const etag = first.headers.get('etag') ?? ''
    const modified = first.headers.get('last-modified') ?? ''
    for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': modified }])
      expect(await statusOf(url, headers)).toBe(304)
    expect(await statusOf(url, { 'if-none-match': '"other"' })).toBe(200)
    expect(await statusOf(url, { 'if-match': '"other"' })).toBe(412)
  })

  it('refuses other methods than GET and HEAD', async () => {
    for (const method of ['PUT', 'DELETE', 'POST']) expect((await fetch(url, { method })).status).toBe(405)
  })
})

describe('Variants', () => {
  let site: Site
  let file: { hash: string; url: string; id: number }
  beforeAll(async () => {
    site = await openSite({
      focalPoint: true,
      variants: { sizes: [{ width: 100 }, { width: 50, height: 50 }], formats: ['webp', 'jpeg'] },
    })
    // The left half is red, the right half blue.
    const half = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const content = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
      .composite([{ input: half, left: 200, top: 0 }])
      .png()
      .toBuffer()
    const { body } = await site.api.post('/api/upload', {
      body: form([{ name: 'a.png', content }], { fileInfo: { focalPoint: { x: 100, y: 50 } } }),
    })
    file = body[0]
    expect(body[0].focalPoint).toEqual({ x: 100, y: 50 })
  })
  afterAll(() => site.close())

  it('are made once, at the first request, and cached for ever', async () => {
    const ask = () => fetch(`${site.url}/uploads/${file.hash}?w=100&format=webp`)
    const [response, ...others] = await Promise.all([ask(), ask(), ask()])
    const metadata = await sharp(Buffer.from(await (response as Response).arrayBuffer())).metadata()
    expect([metadata.format, metadata.width, metadata.height]).toEqual(['webp', 100, 50])
    expect(response?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    expect((await site.kept()).filter((name) => name.includes('__'))).toEqual([`${file.hash}__100x.webp`])
  })

  it('contain the focal point when they are cropped', async () => {
    const response = await fetch(`${site.url}${file.url}?w=50&h=50&format=jpeg`)
    const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([50, 50])
    const [red = 0, , blue = 0] = data
    expect(blue).toBeGreaterThan(red)
  })

  it.each(['w=101', 'w=100&h=100', 'h=50', 'w=100&format=png', 'w=-1', 'w=1e2', 'w=100&w=50', 'format=webp'])(
    'are not made for ?%s',
    async (query) => {
      const { status, body } = await site.api.get(`/uploads/${file.hash}?${query}`)
      expect([status, body.error.name]).toEqual([400, 'ValidationError'])
    },
  )

  it.each([
    '/uploads/a%00b?w=100',
    '/uploads/..?w=100&format=webp',
    '/uploads/.?w=100',
    '/uploads/%2e%2e?w=100',
    '/uploads/..%2f..%2fetc%2fpasswd?w=100',
    '/uploads/.htaccess?w=100',
    '/uploads/%20?w=100',
    `/uploads/${'a'.repeat(400)}?w=100`,
    '/uploads/a__100x.webp?w=100',
  ])('S-32: %s answers 404', async (target) => {
    expect((await raw(site.url, target)).status).toBe(404)
  })

  it('answer 404 for a text, an icon and an unknown file, and are deleted with their file', async () => {
    const icon = Buffer.from('00000100010010100000010020000000', 'hex')
    const { body } = await site.api.post('/api/upload', {
      body: form([{ content: 'text' }, { name: 'favicon.ico', content: icon }]),
    })
    for (const hash of [body[0].hash, body[1].hash, 'nothing'])
      expect((await site.api.get(`/uploads/${hash}?w=100`)).status).toBe(404)
    await site.api.delete(`/api/upload/files/${file.id}`)
    expect((await site.kept()).filter((name) => name.includes(file.hash))).toEqual([])
  })
})

describe('octavo media check', () => {
  it('lists files without rows and rows without files, except files that are arriving', async () => {
    const site = await openSite()
    try {
      const { body } = await site.api.post('/api/upload', {
        body: form([{ name: 'a.png', content: await picture(600, 600) }, { content: 'b' }]),
      })
      const command = site.server.octavo.commands.get('media check')
      const check = async (...flags: string[]) => {
        const lines: string[] = []
        const fine = await command?.run(site.server.octavo, new Set(flags), (line) => lines.push(line))
        return { fine, lines }
      }
      expect(await check()).toEqual({ fine: true, lines: ['Files and rows agree'] })
      await rm(path.join(site.folder, `small_${body[0].hash}.png`))
      await writeFile(path.join(site.folder, 'stray.txt'), 'xyz')
      await writeFile(path.join(site.folder, 'arriving.txt'), 'xyz')
      await utimes(path.join(site.folder, 'stray.txt'), 1, 1)
      const arriving = 'Files without a row, less than an hour old, which may be arriving: 1'
      const missing = `small_${body[0].hash}.png: missing, and file ${body[0].id} refers to it`
      expect(await check()).toEqual({
        fine: false,
        lines: ['stray.txt: a file without a row (3 bytes)', missing, arriving],
      })
      expect((await check('delete')).lines).toEqual([
        'stray.txt: a file without a row (3 bytes); removed',
        missing,
        arriving,
      ])
      expect(await check()).toEqual({ fine: false, lines: [missing, arriving] })
      await writeFile(path.join(site.folder, `small_${body[0].hash}.png`), 'xyz')
      expect(await check()).toEqual({ fine: true, lines: [arriving, 'All other files and rows agree'] })
      expect(await site.kept()).toContain('arriving.txt')
    } finally {
      await site.close()
    }
  })
})

it('media check removes no file of an imported row, which has the name of its provider in Strapi', async () => {
  const site = await openSite()
  try {
    const { body } = await site.api.post('/api/upload', {
      body: form([{ name: 'a.png', content: await picture(600, 600) }]),
    })
    await site.server.octavo.store.query(`update "files" set "provider" = 'aws-s3'`)
    for (const name of await site.kept()) await utimes(path.join(site.folder, name), 1, 1)
    await rm(path.join(site.folder, `small_${body[0].hash}.png`))
    const lines: string[] = []
    const command = site.server.octavo.commands.get('media check')
    await command?.run(site.server.octavo, new Set(['delete']), (line) => lines.push(line))
    expect(lines).toEqual(['Files and rows agree'])
    expect(await site.kept()).toEqual([`${body[0].hash}.png`, `thumbnail_${body[0].hash}.png`])
  } finally {
    await site.close()
  }
})

it('media check removes no file that a row names by its address alone', async () => {
  const site = await openSite()
  try {
    for (const name of ['photo.png', 'small.png', 'stray.png']) {
      await writeFile(path.join(site.folder, name), 'xyz')
      await utimes(path.join(site.folder, name), 1, 1)
    }
    const formats = { small: { hash: 'small_other', ext: '.png', url: '/uploads/small.png?v=1' } }
    await site.server.octavo.store.query(
      `insert into "files" ("name", "hash", "ext", "mime", "size", "url", "provider", "formats")
       values ('a', 'other', '.png', 'image/png', 1, 'https://example.com/uploads/photo.png', 'local', $1)`,
      [JSON.stringify(formats)],
    )
    const lines: string[] = []
    const command = site.server.octavo.commands.get('media check')
    await command?.run(site.server.octavo, new Set(['delete']), (line) => lines.push(line))
    expect(await site.kept()).toEqual(['photo.png', 'small.png'])
    expect(lines).toEqual(['stray.png: a file without a row (3 bytes); removed', 'Files and rows agree'])
  } finally {
    await site.close()
  }
})

describe('Uploads that a killed process left behind', () => {
  const oldPart = '.1f00dcaf-e5a0-4b1c-8d2e-3f4a5b6c7d8e.part'
  const freshPart = '.2f00dcaf-e5a0-4b1c-8d2e-3f4a5b6c7d8e.part'
  const leave = async (site: Site) => {
    const incoming = path.join(site.folder, '.incoming')
    const [old, fresh] = [path.join(incoming, 'incoming-old'), path.join(incoming, 'incoming-fresh')]
    for (const folder of [old, fresh]) {
      await mkdir(folder)
      await writeFile(path.join(folder, '0'), 'half of a file')
    }
    // A folder that is old with a file that was written to just now belongs to an upload that still arrives.
    await utimes(fresh, 1, 1)
    await utimes(path.join(old, '0'), 1, 1)
    await utimes(old, 1, 1)
    for (const part of [oldPart, freshPart, '.other.part'])
      await writeFile(path.join(site.folder, part), 'xyz')
    for (const part of [oldPart, '.other.part']) await utimes(path.join(site.folder, part), 1, 1)
    // Octavo makes nothing with such names.
    await writeFile(path.join(incoming, 'notes.txt'), 'mine')
    await utimes(path.join(incoming, 'notes.txt'), 1, 1)
  }
  const left = async ({ folder }: Site) => {
    const names = [...(await readdir(folder)), ...(await readdir(path.join(folder, '.incoming')))]
    return names.sort()
  }
  const living = [freshPart, '.incoming', '.other.part', 'incoming-fresh', 'notes.txt']

  it('are listed by media check and removed by its --delete, once they are an hour old', async () => {
    const site = await openSite()
    try {
      await leave(site)
      const command = site.server.octavo.commands.get('media check')
      const check = async (...flags: string[]) => {
        const lines: string[] = []
        const fine = await command?.run(site.server.octavo, new Set(flags), (line) => lines.push(line))
        return { fine, lines: lines.sort() }
      }
      const found = [
        `${oldPart}: an upload that never finished (3 bytes)`,
        'incoming-old: an upload that never finished (14 bytes)',
      ]
      expect(await check()).toEqual({ fine: false, lines: found })
      const removed = await check('delete')
      expect(removed).toEqual({
        fine: true,
        lines: ['Files and rows agree', ...found.map((line) => `${line}; removed`)].sort(),
      })
      expect(await left(site)).toEqual(living)
      expect(await check()).toEqual({ fine: true, lines: ['Files and rows agree'] })
    } finally {
      await site.close()
    }
  })

  it('are removed by the next start', async () => {
    const first = await openSite()
    await leave(first)
    await first.server.close()
    const site = await first.reopen({})
    try {
      expect(await left(site)).toEqual(living)
    } finally {
      await site.close()
    }
  })
})

function nested(levels: number): object {
  let value = {}
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

it('An export and its import preserve the files of entries', async () => {
  const site = await openSite()
  const other = await openSite()
  try {
    const { body } = await site.api.post('/api/upload', {
      body: form([{ name: 'a.png', content: await picture(300, 300) }]),
    })
    await site.api.post('/api/articles', {
      body: { data: { title: 'A', cover: body[0].id, gallery: [body[0].id] } },
    })
    let text = ''
    await exportData(site.server.octavo, async (part) => {
      text += part
    })
    await importData(other.server.octavo, JSON.parse(text))
    const read = async ({ api }: Site) => (await api.get('/api/articles?populate=*')).body
    expect(await read(other)).toEqual(await read(site))
    const { files } = JSON.parse(text)
    await importData(other.server.octavo, { files })
    const [file] = files
    await expect(
      importData(other.server.octavo, { files: [{ ...file, hash: 'b' }] } as never),
    ).rejects.toThrow(`Nothing was imported: files[0]: the id 1 is that of the file "${file.hash}".`)
    const wrong: readonly [object, RegExp][] = [
      [
        { width: 1.5 },
        /^Nothing was imported: files\[0\]\.width must be a whole number of at most 2147483647\.$/,
      ],
      [{ height: 1e300 }, /files\[0\]\.height must be a whole number of at most 2147483647\.$/],
      [{ formats: nested(100_000) }, /files\[0\]\.formats(\.a?)*…: expected JSON of at most 200 levels\.$/],
    ]
    for (const [values, mistake] of wrong) {
      const data = { files: [{ ...file, ...values }] }
      await expect(importData(other.server.octavo, data as never)).rejects.toThrow(mistake)
    }
    await expect(
      importData(other.server.octavo, { files: [file, { ...file, name: 'other.png' }] } as never),
    ).rejects.toThrow('Nothing was imported: files[1] (id 1): files[0] has the same id.')
    expect(await read(other)).toEqual(await read(site))
  } finally {
    await site.close()
    await other.close()
  }
})

it.each([{ small: null, large: 5, medium: {} }, 'text', 5])(
  'An imported file is deleted whose formats are none: %j',
  async (formats) => {
    const site = await openSite()
    try {
      const file = { id: 1, name: 'a.png', hash: 'a', mime: 'image/png', url: '/uploads/a.png', formats }
      await importData(site.server.octavo, { files: [file] } as never)
      const lines: string[] = []
      const command = site.server.octavo.commands.get('media check')
      await command?.run(site.server.octavo, new Set(), (line) => lines.push(line))
      expect(lines).toEqual(['a: missing, and file 1 refers to it'])
      expect((await site.api.delete('/api/upload/files/1')).status).toBe(200)
    } finally {
      await site.close()
    }
  },
)

it('An import does not write one folder over another', async () => {
  const site = await openSite()
  try {
    const load = (...folders: object[]) => importData(site.server.octavo, { folders } as never)
    const stored = () => site.server.octavo.store.query('select "id", "name" from "octavo_upload_folders"')
    const pictures = { id: 1, name: 'Pictures', createdAt: '2026-04-01T12:00:00.000Z' }
    await load(pictures)
    await expect(
      load({ ...pictures, name: 'Contracts', createdAt: '2026-05-01T12:00:00.000Z' }),
    ).rejects.toThrow('Nothing was imported: folders[0]: the id 1 is that of the folder "Pictures".')
    await expect(
      load({ id: 2, name: 'A' }, { id: 2, name: 'B', createdAt: '2026-05-01T12:00:00.000Z' }),
    ).rejects.toThrow('folders[1] (id 2): folders[0] has the same id.')
    expect(await stored()).toEqual([['1', 'Pictures']])
    // It was renamed since.
    await load({ ...pictures, name: 'Photographs' })
    expect(await stored()).toEqual([['1', 'Photographs']])
  } finally {
    await site.close()
  }
})

describe('A bucket of S3', () => {
  let bucketServer: S3rver
  let store: string
  let endpoint: string
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  beforeAll(async () => {
    store = await mkdtemp(path.join(tmpdir(), 'octavo-s3-'))
    bucketServer = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: store,
      configureBuckets: [{ name: 'media', configs: [] }],
    })
    const { port } = await bucketServer.run()
    endpoint = `http://127.0.0.1:${port}`
  })
  afterAll(async () => {
    await bucketServer.close()
    await rm(store, { recursive: true })
  })
  const bucket = () => ({
    bucket: 'media',
    prefix: 'files/',
    signedUrls: 60,
    client: { endpoint, region: 'us-east-1', forcePathStyle: true, credentials },
  })

  const publicBucket = () => {
    const { signedUrls: _, ...rest } = bucket()
    return { ...rest, publicUrl: 'https://cdn.example.com' }
  }

  it('stores files, large ones in parts, gives signed addresses, deletes and lists', async () => {
    const provider = s3(bucket())
    const site = await openSite({ provider, variants: { sizes: [{ width: 64 }] } })
    try {
      const large = Buffer.alloc(12 * 1_048_576, 'octavo ')
      const { status, body } = await site.api.post('/api/upload', {
        body: form([
          { name: 'a.png', content: await picture(600, 300) },
          { name: 'large.txt', content: large },
        ]),
      })
      expect([status, body[0].provider, body[0].url]).toEqual([200, 's3', `/uploads/${body[0].hash}.png`])
      const redirect = await site.api.get(body[1].url)
      expect(redirect.status).toBe(302)
      const signed = redirect.headers.get('location') ?? ''
      expect(signed).toMatch(/X-Amz-Expires=60/)
      const got = await fetch(signed)
      expect(Buffer.from(await got.arrayBuffer()).equals(large)).toBe(true)
      // S3 refuses a request by another method than the one that was signed; this server does not. Only addresses for GET name their operation.
      const head = await fetch(`${site.url}${body[1].url}`, { method: 'HEAD', redirect: 'manual' })
      const signedHead = head.headers.get('location') ?? ''
      const operations = [signed, signedHead].map((url) => new URL(url).searchParams.get('x-id'))
      expect(operations).toEqual(['GetObject', null])
      const found = await fetch(signedHead, { method: 'HEAD' })
      expect([found.status, found.headers.get('content-length')]).toEqual([200, String(large.length)])
      const variant = await fetch(`${site.url}/uploads/${body[0].hash}?w=64`)
      expect((await sharp(Buffer.from(await variant.arrayBuffer())).metadata()).format).toBe('webp')

      const keys = async () => {
        const found: string[] = []
        for await (const { key } of provider.list('')) found.push(key)
        return found.sort()
      }
      expect((await keys()).filter((key) => key.includes(body[0].hash)).length).toBe(4)
      for (const { id } of body) await site.api.delete(`/api/upload/files/${id}`)
      expect(await keys()).toEqual([])
      expect((await site.api.get(`/uploads/${body[0].hash}?w=64`)).status).toBe(404)
    } finally {
      await site.close()
    }
  })

  it('out of reach stops the start with an error that names it', async () => {
    await expect(openSite({ provider: s3({ ...bucket(), bucket: 'absent' }) })).rejects.toThrow(/absent/)
    expect(() => s3({ bucket: 'media' })).toThrow(/publicUrl/)
  })

  it.each([0, -1, 1.5, Number.NaN, 604_801])('signs no address for %s seconds', (signedUrls) => {
    expect(() => s3({ bucket: 'media', signedUrls })).toThrow(/signedUrls/)
  })

  it.each(['', '/'])('with publicUrl and "%s" at its end gives files its own addresses', async (end) => {
    const { publicUrl } = publicBucket()
    const site = await openSite({ provider: s3({ ...publicBucket(), publicUrl: publicUrl + end }) })
    try {
      const { body } = await site.api.post('/api/upload', { body: form([{ content: 'a' }]) })
      expect(body[0].url).toBe(`https://cdn.example.com/files/${body[0].hash}.txt`)
      expect((await site.api.get(`/uploads/${body[0].hash}.txt`)).status).toBe(404)
    } finally {
      await site.close()
    }
  })

  it('lists no file of others that share the bucket', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
    try {
      const arriving = path.join(folder, 'a.txt')
      await writeFile(arriving, 'text')
      const [own, other] = ['', 'other/'].map((prefix) => s3({ ...bucket(), prefix }))
      for (const provider of [own, other])
        await provider?.put('a.txt', { path: arriving, mime: 'text/plain', size: 4 })
      const listed: string[] = []
      for await (const { key } of own?.list('') ?? []) listed.push(key)
      expect(listed).toEqual(['a.txt'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('that fails leaves no row', async () => {
    let refuse = false
    const front: HttpServer = createServer((request, response) => {
      if (refuse) return void response.writeHead(500).end()
      request.resume()
      response.writeHead(200).end()
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    const { port } = front.address() as AddressInfo
    const site = await openSite({
      provider: s3({
        ...bucket(),
        client: { ...bucket().client, endpoint: `http://127.0.0.1:${port}`, maxAttempts: 1 },
      }),
    })
    try {
      refuse = true
      expect((await site.api.post('/api/upload', { body: form([{ content: 'a' }]) })).status).toBe(503)
      expect(await site.rows()).toEqual({ files: 0, links: 0 })
    } finally {
      await site.close()
      front.close()
    }
  })
})

it('A file of 128 MiB, each night of a gigabyte, takes less than 64 MiB of memory', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-large-'))
  const database = await createTestDatabase()
  const script = fileURLToPath(new URL('./large-server.ts', import.meta.url))
  const server = spawn(process.execPath, [script, folder, database.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(server, 'close')
  try {
    const [url = ''] = String(await new Promise((resolve) => server.stdout.once('data', resolve))).split('\n')
    const size = runs(128, 1_024) * 1_048_576
    const source = path.join(folder, 'source')
    await writeFile(source, '')
    await truncate(source, size)
    const rss = async () => Number((await (await fetch(`${url}/rss`)).text()).trim())
    // The first requests load modules that later ones reuse, and fill the space for young objects.
    await fetch(`${url}/api/upload`, {
      method: 'POST',
      body: form([{ content: Buffer.alloc(32 * 1_048_576) }]),
    })
    const before = await rss()
    let most = before
    let isWatching = true
    const watched = (async () => {
      while (isWatching) {
        most = Math.max(most, await rss())
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })()
    const data = new FormData()
    data.append('files', await openAsBlob(source), 'large.bin')
    const response = await fetch(`${url}/api/upload`, { method: 'POST', body: data })
    isWatching = false
    // No request may be on its way when the server ends.
    await watched
    const body = (await response.json()) as { size: number }[]
    expect([response.status, body[0]?.size]).toEqual([200, Math.round(size / 10) / 100])
    expect(most - before).toBeLessThan(64 * 1_048_576)
  } finally {
    server.kill()
    await ended
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})

/** fetch adds `no-cache` to conditional requests, which requests the whole response. */
const statusOf = (url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
