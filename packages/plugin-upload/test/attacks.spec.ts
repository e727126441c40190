/** Attacks on uploads as requests. The numbers are those of the list of attacks. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { openConnection } from '@octavo/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { localDisk, type StorageProvider } from '../src/index.ts'
import { raw } from './raw.ts'
import { form, openSite, type Part, picture, type Site } from './site.ts'

// The subject is time limits, whose ends a busy machine reaches late.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let site: Site
beforeAll(async () => {
  site = await openSite({ limits: { fileSize: 1_000_000, files: 5, pixels: 1_000_000 } })
})
afterAll(() => site.close())

const upload = (parts: readonly Part[], fields?: Readonly<Record<string, unknown>>, at = site) =>
  at.api.post('/api/upload', { body: form(parts, fields) })

/** A refused upload leaves no row, no file and no temporary file. */
async function unchanged(work: () => Promise<void>, at = site) {
  const state = async () => [
    await at.kept(),
    await at.rows(),
    await readdir(path.join(at.folder, '.incoming')),
  ]
  const before = await state()
  await work()
  await expect.poll(state, { timeout: 120_000 }).toEqual(before)
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><rect width="5" height="5"/></svg>'
const page = '<!doctype html><html><script>alert(1)</script></html>'

describe('S-13: files that browsers would run', () => {
  it.each([
    ['an SVG', 'evil.svg', svg, 'image/svg+xml', '.svg'],
    ['an SVG by another name', 'evil.png', svg, 'image/svg+xml', '.svg'],
    [
      'an SVG after an XML declaration',
      'evil.txt.svg',
      `<?xml version="1.0"?>\n<!-- x -->\n${svg}`,
      'image/svg+xml',
      '.svg',
    ],
    ['HTML', 'evil.html', page, 'text/html', '.html'],
    ['HTML named as a picture', 'evil.jpg', page, 'text/html', '.html'],
    [
      'HTML far from the start',
      'evil.gif',
      `${' '.repeat(5_000)}<script>alert(1)</script>`,
      'text/html',
      '.html',
    ],
    ['HTML in UTF-16', 'evil.png', Buffer.from(`\ufeff${page}`, 'utf16le'), 'text/html', '.html'],
  ])(
    '%s is detected by its content, and served in a sandbox as an attachment',
    async (_, name, content, mime, ext) => {
      const { status, body } = await upload([{ name, content, type: 'image/png' }])
      expect([status, body[0].mime, body[0].ext]).toEqual([200, mime, ext])
      const { headers } = await fetch(site.url + body[0].url)
      expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
      expect(headers.get('content-disposition')).toBe('attachment')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  it.each([
    ['JavaScript', 'evil.js', 'alert(1)'],
    ['a module', 'evil.mjs', 'export default 1'],
    ['XHTML', 'evil.xhtml', '<x xmlns="http://www.w3.org/1999/xhtml"/>'],
  ])('%s is served as bytes, which no page runs as code', async (_, name, content) => {
    const { body } = await upload([{ name, content, type: 'text/javascript' }])
    const { headers } = await fetch(site.url + body[0].url)
    expect(headers.get('content-type')).not.toMatch(/script|xhtml|html/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('a PNG with a wrong Content-Type and extension is stored as a PNG', async () => {
    const { body } = await upload([{ name: 'page.html', content: await picture(3, 3), type: 'text/html' }])
    expect(body[0]).toMatchObject({ mime: 'image/png', ext: '.png' })
    const { headers } = await fetch(site.url + body[0].url)
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual(['image/png', null])
  })

  it('a GIF that is a script as well is served as a GIF', async () => {
    const gif = Buffer.concat([
      await picture(2, 2, 'gif'),
      Buffer.from('/*<script>alert(1)</script>*/=1;alert(1)'),
    ])
    const { body } = await upload([{ name: 'x.js', content: gif, type: 'text/javascript' }])
    expect(body[0]).toMatchObject({ mime: 'image/gif', ext: '.gif' })
    const { headers } = await fetch(site.url + body[0].url)
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      'image/gif',
      'nosniff',
    ])
  })

  it('bytes of no known type do not get the extension of a picture', async () => {
    const { body } = await upload([{ name: 'x.png', content: Buffer.from([0, 1, 2, 3, 255, 254]) }])
    expect(body[0]).toMatchObject({ mime: 'application/octet-stream', ext: '.bin' })
  })

  it('active: refuse and allow apply to every way to upload', async () => {
    const strict = await openSite({ active: 'refuse', allow: ['image/*', 'text/html'] })
    try {
      for (const content of [svg, page, 'text'])
        await unchanged(async () => {
          const { status, body } = await upload([{ name: 'a.png', content }], {}, strict)
          expect([status, body.error.message]).toEqual([400, expect.stringContaining('is not accepted')])
          const entry = await strict.api.post('/api/articles', {
            body: form([{ field: 'files.gallery', content }], { data: { title: 'A' } }),
          })
          expect(entry.status).toBe(400)
        }, strict)
      const [file] = (await upload([{ name: 'a.png', content: await picture(1, 1) }], {}, strict)).body
      await unchanged(async () => {
        const replaced = await strict.api.post(`/api/upload?id=${file.id}`, {
          body: form([{ content: svg }]),
        })
        expect(replaced.status).toBe(400)
      }, strict)
    } finally {
      await strict.close()
    }
  })

  it('active: sanitize removes scripts, external references and links from an SVG', async () => {
    const clean = await openSite({ active: 'sanitize' })
    const hostile = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" onload="a()">
      <script>a()</script><style>@import 'http://evil'</style><a xlink:href="javascript:a()"><text>x</text></a>
      <foreignObject><iframe src="http://evil"/></foreignObject><use href="http://evil#x"/><use xlink:href="#ok"/>
      <image href="http://evil/x.png"/><rect fill="url(#ok)" stroke="url(http://evil)" style="x:expression(a())"/>
      <animate attributeName="href" to="javascript:a()"/><linearGradient id="ok"><stop offset="0"/></linearGradient></svg>`
    try {
      const { body } = await upload([{ name: 'x.svg', content: hostile }], {}, clean)
      const text = await (await fetch(clean.url + body[0].url)).text()
      expect(text).not.toMatch(/script|evil|onload|style|foreign|iframe|animate|import|<a[\s>]/i)
      expect(text).toContain('linearGradient id="ok"')
      expect(text).toContain('fill="url(#ok)"')
      expect(text).toContain('xlink:href="#ok"')
      expect((await upload([{ content: page, name: 'x.html' }], {}, clean)).status).toBe(400)
    } finally {
      await clean.close()
    }
  })

  it('active: sanitize reads an SVG in UTF-16, and stores it in UTF-8', async () => {
    const clean = await openSite({ active: 'sanitize' })
    const drawing = `\ufeff<?xml version="1.0" encoding="UTF-16"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="7" onload="a()"><text>\u017dofie</text></svg>`
    const little = Buffer.from(drawing, 'utf16le')
    try {
      for (const content of [little, Buffer.from(little).swap16(), Buffer.from(drawing)]) {
        const { body } = await upload([{ name: 'x.svg', content }], {}, clean)
        expect(body[0]).toMatchObject({ mime: 'image/svg+xml', width: 9, height: 7 })
        const text = await (await fetch(clean.url + body[0].url)).text()
        expect(text).toBe(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="7"><text>\u017dofie</text></svg>',
        )
      }
    } finally {
      await clean.close()
    }
  })
})

describe('S-14: unusual names and parts', () => {
  it.each([
    ['a path', '../../etc/passwd'],
    ['an absolute path', '/etc/passwd'],
    ['a null byte', 'a\0.png'],
    ['control characters', 'a\u0001.txt'],
    ['a colon', 'a:b.txt'],
    ['a star', 'a*.txt'],
    ['dots', '..'],
    ['over 255 bytes', `${'ä'.repeat(130)}.txt`],
  ])('%s as a name is refused', async (_, name) => {
    await unchanged(async () => {
      const body = rawPart('files', name, 'x')
      const { status, body: answer } = await site.api.post('/api/upload', { body, headers: multipart })
      expect([status, answer.error?.message]).toEqual([400, expect.stringContaining('file name')])
      const info = await upload([{ content: 'x' }], { fileInfo: { name } })
      expect(info.status).toBe(400)
    })
  })

  it.each([
    ['a backslash', 'C:\\temp\\a.txt'],
    ['a long extension', `a.${'x'.repeat(100)}`],
    ['only an extension', '.htaccess'],
    ['quotes of a kind', "it's.txt"],
    ['no letters', '😀.txt'],
    ['a name of Windows', 'CON.txt'],
  ])('%s makes no path of it', async (_, name) => {
    const { status, body } = await site.api.post('/api/upload', {
      body: rawPart('files', name, 'x'),
      headers: multipart,
    })
    if (status === 200) {
      expect(body[0].url).toMatch(/^\/uploads\/[\w-]+\.\w{1,17}$/)
      expect(await site.kept()).toContain(body[0].url.slice('/uploads/'.length))
    } else expect(status).toBe(400)
  })

  it.each(['files.../../x', '__proto__', 'constructor', 'files.__proto__.x', 'files[', 'files.'])(
    'the field %s reaches nothing',
    async (field) => {
      await unchanged(async () => {
        const { status } = await site.api.post('/api/articles', {
          body: form([{ field, content: 'x' }], { data: { title: 'A' } }),
        })
        expect(status).toBe(400)
      })
    },
  )

  it('a body that is not multipart, or incomplete, is refused', async () => {
    await unchanged(async () => {
      const whole = rawPart('files', 'a.txt', 'x'.repeat(1_000))
      for (const [body, headers] of [
        [whole.slice(0, 500), multipart],
        ['', multipart],
        [whole, { 'content-type': 'multipart/form-data' }],
        [whole, { 'content-type': 'multipart/form-data; boundary=other' }],
        ['x', { 'content-type': 'text/plain' }],
        ['{"files":[1]}', { 'content-type': 'application/json' }],
      ] as const) {
        const { status } = await site.api.post('/api/upload', { body, headers })
        expect(status).toBe(400)
      }
    })
  })

  it('60 invalid uploads at once leave no trace', async () => {
    await unchanged(async () => {
      const odd = Array.from({ length: 60 }, (_, i) =>
        site.api.post('/api/upload', {
          body: rawPart(`files${i % 3}`, `../${i}`, randomBytes(i * 100).toString('latin1')),
          headers: multipart,
        }),
      )
      for (const { status } of await Promise.all(odd)) expect(status).toBe(400)
      expect((await site.api.get('/api/upload/files')).status).toBe(200)
    })
  })
})

describe('S-20: uploads over the limits', () => {
  const tooLarge = async (parts: readonly Part[], message: RegExp) =>
    unchanged(async () => {
      const { status, body } = await upload(parts)
      expect([status, body.error.message]).toEqual([413, expect.stringMatching(message)])
    })

  it('a file over fileSize is refused', () =>
    tooLarge([{ content: 'x'.repeat(1_000_001) }], /larger than 1000000 bytes/))
  it('more files than the limit are refused', () =>
    tooLarge(Array(6).fill({ content: 'x' }), /more than 5 files/))
  it('10,000 parts are refused', () => tooLarge(Array(10_000).fill({ content: 'x' }), /more than 5 files/))
  it('10,000 fields are refused', async () => {
    const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, 'x']))
    await unchanged(async () => {
      const { status, body } = await upload([{ content: 'x' }], fields)
      expect([status, body.error.message]).toEqual([413, expect.stringContaining('fields')])
    })
  })

  it.each([
    ['many files', [Array<Part>(10_000).fill({ content: 'x' })]],
    [
      'many fields',
      [[{ content: 'x' }], Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n, 'x']))],
    ],
  ] as const)('%s are refused, and their connection takes the next request', async (_, [parts, fields]) => {
    const body = new Response(form(parts, fields))
    const headers = { 'content-type': body.headers.get('content-type') ?? '' }
    const bytes = await body.bytes()
    const connection = openConnection(site.url)
    await unchanged(async () => {
      for (let n = 0; n < 5; n++) {
        expect(await connection.send('POST', '/api/upload', headers, bytes)).toBe(413)
        expect(await connection.send('GET', '/api/upload/files')).toBe(200)
      }
    })
    expect(connection.count).toBe(1)
    connection.close()
  })

  it('a PNG of 60,000 by 60,000 in a few hundred bytes is refused before it is decoded', async () => {
    const before = process.memoryUsage().rss
    await tooLarge([{ name: 'bomb.png', content: pngHeader(60_000, 60_000) }], /1000000 pixels/)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576)
  })

  it('the pixels of all frames of an animation count', async () => {
    const frame = await sharp({ create: { width: 600, height: 600, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const other = await sharp({ create: { width: 600, height: 600, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const content = await sharp([frame, other, frame], { join: { animated: true } })
      .gif()
      .toBuffer()
    await tooLarge([{ name: 'bomb.gif', content }], /1000000 pixels/)
  })

  it('a zip bomb is stored without being unpacked', async () => {
    const zeros = deflateSync(Buffer.alloc(50_000_000))
    const { status, body } = await upload([
      { name: 'bomb.zip', content: Buffer.concat([Buffer.from('PK\x03\x04'), zeros]) },
    ])
    expect([status, body[0].mime.startsWith('application/')]).toEqual([200, true])
  })

  it.each([
    ['a cut-off picture', async () => (await picture(400, 400, 'jpeg')).subarray(0, 400)],
    ['a picture of garbage', async () => Buffer.concat([pngHeader(20, 20), randomBytes(500)])],
  ])('%s is refused', async (_, content) => {
    const broken = await content()
    await unchanged(async () => {
      const { status, body } = await upload([{ name: 'a.jpg', content: broken }])
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('cannot be read')])
    })
  })

  it('the entities of an SVG are not expanded', async () => {
    const entities = Array.from(
      { length: 12 },
      (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
    ).join('')
    const bomb = `<!DOCTYPE svg [<!ENTITY e0 "lol">${entities}]><svg xmlns="http://www.w3.org/2000/svg"><text>&e12;</text></svg>`
    const before = process.memoryUsage().rss
    const { status } = await upload([{ name: 'bomb.svg', content: bomb }])
    expect([200, 400]).toContain(status)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576)
  })

  it('a client that stops sending gets 408', async () => {
    // Not for the other tests: a busy machine may take longer for a large body.
    const impatient = await openSite({ limits: { idle: 700 } })
    await unchanged(async () => {
      const answer = await dribble(impatient.url, 'wait')
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect(answer).toContain('"RequestTimeoutError"')
    }, impatient)
    await impatient.close()
  })

  it('a client that leaves before its body is read leaves no trace, and no request', async () => {
    const ended = Promise.withResolvers<void>()
    const left = await openSite(
      {},
      {
        middleware: [
          async (context, next) => {
            await once(context.req.socket, 'close')
            await next().finally(ended.resolve)
          },
        ],
      },
    )
    try {
      const { hostname, port } = new URL(left.url)
      const body = rawPart('files', 'a.png', 'x')
      const head = `POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: ${multipart['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`
      const socket = connect(Number(port), hostname)
      socket.write(head + body, () => socket.destroy())
      await ended.promise
      expect(await readdir(path.join(left.folder, '.incoming'))).toEqual([])
      expect(await left.rows()).toEqual({ files: 0, links: 0 })
    } finally {
      await left.close()
    }
  })

  it('a client that reads nothing of a file is cut off when it makes no progress', async () => {
    const closed = Promise.withResolvers<void>()
    const slow = await openSite(
      {},
      {
        response: { idle: 200 },
        middleware: [
          (context, next) => {
            context.res.once('close', closed.resolve)
            return next()
          },
        ],
      },
    )
    const file = path.join(slow.folder, 'large.zip')
    await writeFile(file, '')
    // More than the buffers of a connection take, on either side.
    await truncate(file, 64 * 1_048_576)
    const { hostname, port } = new URL(slow.url)
    const socket = connect(Number(port), hostname)
    socket.write('GET /uploads/large.zip HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'readable')
    socket.on('error', () => {})
    await closed.promise
    socket.destroy()
    await slow.close()
  })

  it('a client that disconnects in the middle leaves no trace', () =>
    unchanged(async () => {
      await dribble(site.url, 'leave')
    }))
})

describe('S-13: addresses of files', () => {
  it.each([
    '/uploads/',
    '/uploads',
    '/uploads/.incoming',
    '/uploads/..%2f..%2fetc%2fpasswd',
    '/uploads/%2e%2e%2f%2e%2e%2fpackage.json',
    '/uploads/..%5c..%5cx',
    '/uploads/%00',
    '/uploads/a%00.png',
    '/uploads/%E0%A4%A',
    '/uploads/nothing.png',
  ])('%s is not there: no listing, no way out of the folder', async (target) => {
    const { status, body } = await raw(site.url, target)
    expect([404, 400]).toContain(status)
    expect(body).toContain('"error"')
  })
})

describe('A provider that fails', () => {
  it.each(['first', 'second', 'replace'])('leaves neither a row nor a file: at the %s file', async (when) => {
    let puts = 0
    let failing = false
    const failingDisk = (disk: StorageProvider): StorageProvider => ({
      ...disk,
      async put(key, file) {
        puts += 1
        if (failing && puts === (when === 'second' ? 2 : 1))
          throw new Error('ENOSPC: no space left on device')
        await disk.put(key, file)
      },
    })
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
    const at = await openSite({ provider: failingDisk(localDisk({ folder })) })
    const open = {
      ...at,
      folder,
      kept: async () => (await readdir(folder)).filter((name) => !name.startsWith('.')).sort(),
    }
    try {
      const content = await picture(600, 600)
      const [file] = (await upload([{ name: 'a.png', content }], {}, open)).body
      puts = 0
      failing = true
      await unchanged(async () => {
        const { status, body } =
          when === 'replace'
            ? await open.api.post(`/api/upload?id=${file.id}`, {
                body: form([{ name: 'b.png', content: await picture(9, 9) }]),
              })
            : await upload([{ name: 'a.png', content }], {}, open)
        expect([status, body.error.message]).toEqual([500, 'Internal Server Error'])
      }, open)
      const read = await fetch(open.url + file.url)
      expect((await sharp(Buffer.from(await read.arrayBuffer())).metadata()).width).toBe(600)
    } finally {
      await at.close()
    }
  })
})

const multipart = { 'content-type': 'multipart/form-data; boundary=xyz' }

/** A body with one file, with an unescaped name. */
const rawPart = (field: string, name: string, content: string): string =>
  `--xyz\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n${content}\r\n--xyz--\r\n`

/** The start of a PNG of that size, with an image data chunk that is empty. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), body.length + 4)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Sends the start of an upload and then waits, or leaves; gives the answer's text. */
function dribble(url: string, then: 'wait' | 'leave'): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    )
    socket.write(
      `POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: ${multipart['content-type']}\r\nContent-Length: 900000\r\n\r\n` +
        `--xyz\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n${'x'.repeat(200_000)}`,
    )
    if (then === 'leave') setTimeout(() => socket.destroy(), 200)
  })
}
