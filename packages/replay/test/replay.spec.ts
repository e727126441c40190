import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { htmlReport, ReplayError, replay } from '../src/index.ts'

type Body = { data: { id: number; attributes: Record<string, unknown> }[]; meta: unknown }

/** Answers as the reference server does, and as a test changes it. */
class Site {
  readonly requests: string[] = []
  change: (body: Body) => void = () => {}
  status = 200
  readonly server: Server = createServer((request, response) => {
    this.requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim())
    const body: Body = {
      data: [1, 2].map((id) => ({ id, attributes: { title: `Title ${id}`, updatedAt: `2024-01-0${id}` } })),
      meta: { pagination: { page: 1 } },
    }
    this.change(body)
    response.writeHead(this.status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(body))
  })
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}` // it listens on a port
  }
}

let old: Site
let now: Site
let folder: string
const inFolder = (name: string): string => path.join(folder, name)
const write = async (name: string, text: string): Promise<string> => {
  await writeFile(inFolder(name), text)
  return inFolder(name)
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-replay-'))
  old = new Site()
  now = new Site()
  for (const { server } of [old, now])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const { server } of [old, now]) server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  for (const site of [old, now]) {
    site.requests.length = 0
    site.change = () => {}
    site.status = 200
  }
})

const run = async (log: string, more: object = {}) => replay({ log, old: old.url, new: now.url, ...more })

describe('the requests of a log', () => {
  const wanted = ['/api/articles?sort=id', '/api/authors/1']
  it.each([
    [
      'a combined log',
      [
        '10.0.0.1 - ada [10/Oct/2024:13:55:36 +0000] "GET /api/articles?sort=id HTTP/1.1" 200 2326 "-" "curl/8"',
        '10.0.0.1 - - [10/Oct/2024:13:55:37 +0000] "POST /api/articles HTTP/1.1" 200 12',
        '10.0.0.1 - - [10/Oct/2024:13:55:38 +0000] "GET /api/authors/1 HTTP/2.0" 200 99',
        '10.0.0.1 - - [10/Oct/2024:13:55:39 +0000] "GET /api/articles?sort=id HTTP/1.1" 200 2326',
        'not a line of a log',
      ].join('\n'),
    ],
    [
      'JSON lines of several servers',
      [
        '{"method":"GET","path":"/api/articles","query":"sort=id"}',
        '{"method":"GET","path":"/api/articles","query":"?sort=id"}',
        '{"level":30,"req":{"method":"GET","url":"/api/authors/1"}}',
        '{"request":"DELETE /api/authors/1 HTTP/1.1"}',
        '{"request_method":"PUT","uri":"/api/authors/1"}',
        '{"broken',
      ].join('\n'),
    ],
    ['a list of paths and URLs', '/api/articles?sort=id\nhttps://old.example/api/authors/1\n'],
    [
      'a HAR file',
      JSON.stringify({
        log: {
          entries: [
            { request: { method: 'GET', url: 'https://old.example/api/articles?sort=id' } },
            { request: { method: 'POST', url: 'https://old.example/api/articles' } },
            { request: { method: 'GET', url: 'https://old.example/api/authors/1' } },
          ],
        },
      }),
    ],
  ])('are read from %s, each distinct GET once, and sent to both servers', async (_, text) => {
    const report = await run(await write('log', text))
    expect(report.requests).toBe(2)
    const sent = wanted.map((request) => `GET ${request}`)
    expect([old.requests, now.requests]).toEqual([sent, sent])
  })

  it('may have a path that begins with two slashes, which names no host', async () => {
    await run(await write('log', '10.0.0.1 - - [x] "GET //api/articles HTTP/1.1" 200 1'))
    expect(old.requests).toEqual(['GET //api/articles'])
  })

  it('are sent with the headers that are given', async () => {
    await run(await write('log', '/api/articles'), { headers: { Authorization: 'Bearer abc' } })
    expect(now.requests).toEqual(['GET /api/articles Bearer abc'])
  })

  it('can be limited, and sampled evenly', async () => {
    const log = await write('log', Array.from({ length: 10 }, (_, i) => `/api/articles/${i}`).join('\n'))
    expect((await run(log, { limit: 3 })).requests).toBe(3)
    old.requests.length = 0
    await run(log, { sample: 0.2 })
    expect(old.requests).toEqual(['GET /api/articles/4', 'GET /api/articles/9'])
  })
})

describe('two servers', () => {
  const log = () => write('log', '/api/articles\n/api/articles?sort=id\n/api/authors\n')

  it('with equal responses have no differences, in any order of keys', async () => {
    now.change = (body) => {
      for (const entry of body.data)
        entry.attributes = Object.fromEntries(Object.entries(entry.attributes).reverse())
    }
    expect(await run(await log())).toMatchObject({ requests: 3, different: 0, groups: [] })
  })

  it.each<[string, (body: Body) => void, object]>([
    [
      'a missing attribute',
      (body) => delete body.data[1]?.attributes.title,
      { kind: 'missing', at: 'data[*].attributes.title' },
    ],
    [
      'an attribute too many',
      (body) => Object.assign(body.data[0]?.attributes ?? {}, { secret: 1 }),
      { kind: 'added', at: 'data[*].attributes.secret' },
    ],
    [
      'another value',
      (body) => Object.assign(body.data[0]?.attributes ?? {}, { title: 'x' }),
      { kind: 'value', at: 'data[*].attributes.title' },
    ],
    [
      'a missing entry',
      (body) => body.data.pop(),
      { kind: 'entries', at: 'data', title: 'Other entries in data' },
    ],
    [
      'null in place of an object',
      (body) => Object.assign(body, { meta: null }),
      { kind: 'type', at: 'meta' },
    ],
  ])('that differ in %s are one group of all content-types', async (_, change, group) => {
    now.change = change
    const report = await run(await log())
    expect([report.different, report.deliberate]).toEqual([3, 0])
    expect(report.groups).toEqual([
      expect.objectContaining({ contentTypes: ['articles', 'authors'], requests: 3, ...group }),
    ])
  })

  it('that differ in status are reported', async () => {
    now.status = 404
    const { groups } = await run(await log())
    expect(groups[0]).toMatchObject({
      kind: 'status',
      rank: 'broken',
      requests: 3,
      examples: [{ old: '200', new: '404' }, {}, {}],
    })
  })

  it('may differ in ignored paths', async () => {
    now.change = (body) => {
      for (const entry of body.data) entry.attributes.updatedAt = 'later'
    }
    expect((await run(await log(), { ignore: ['data[*].attributes.updatedAt'] })).different).toBe(0)
  })

  it('are sent GET requests only', async () => {
    await run(
      await write(
        'log',
        '"DELETE /api/articles/1 HTTP/1.1"\n{"method":"POST","url":"/api/articles"}\n/api/articles\n',
      ),
    )
    expect(new Set([...old.requests, ...now.requests])).toEqual(new Set(['GET /api/articles']))
  })
})

describe('a recording', () => {
  it('replaces the old server', async () => {
    const log = await write('log', '/api/articles\n/api/authors\n')
    const record = inFolder('answers.jsonl')
    await replay({ log, old: old.url, record })
    expect(now.requests).toEqual([])
    old.requests.length = 0
    expect(await replay({ old: record, new: now.url })).toMatchObject({ requests: 2, different: 0 })
    now.status = 500
    expect(await replay({ old: record, new: now.url })).toMatchObject({ different: 2 })
    expect(old.requests).toEqual([])
  })
})

describe('the page of a report', () => {
  it('escapes the responses of the servers', async () => {
    now.change = (body) =>
      Object.assign(body.data[0]?.attributes ?? {}, { title: '<script>alert(1)</script>' })
    const page = htmlReport(await run(await write('log', '/api/articles?a=<b>')))
    expect(page).toContain('&lt;script&gt;')
    expect(page).not.toContain('<script>')
    expect(page).toContain('1 of 1 request differs.')
  })
})

describe('invalid comparisons', () => {
  it.each([
    ['a log that is not there', () => run('/no/such/file'), /no\/such\/file cannot be read/],
    ['a log without requests', async () => run(await write('log', 'nothing\n')), /no GET request/],
    [
      'a server that does not answer',
      async () => run(await write('log', '/api'), { new: 'http://127.0.0.1:1' }),
      /127\.0\.0\.1:1 does not answer/,
    ],
    [
      'an address that is none',
      async () => run(await write('log', '/api'), { new: 'localhost' }),
      /http:\/\/host:port/,
    ],
    [
      'a file that is no recording',
      async () => replay({ old: await write('x', '{}\n'), new: now.url }),
      /no recording/,
    ],
    [
      'a server without its scheme, beside files',
      async () => replay({ old: 'localhost:1337', new: now.url }),
      /localhost:1337 is no recording.*A server is given as http:\/\/host:port/s,
    ],
    [
      'no server to judge and no file to record to',
      async () => replay({ log: await write('log', '/api'), old: old.url }),
      /nothing to do/,
    ],
    [
      'a recording with a line of something else',
      async () => replay({ old: await write('x', 'null\n'), new: now.url }),
      /line 1 has no recorded answer/,
    ],
    ['a sample above 1', async () => run(await write('log', '/api'), { sample: 2 }), /sample/],
  ])('is a ReplayError: %s', async (_, work, message) => {
    const failure = await work().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(ReplayError)
    expect((failure as Error).message).toMatch(message)
  })

  it.skipIf(process.platform !== 'linux')(
    'is a ReplayError: a disk that is full while answers are recorded',
    async () => {
      const log = await write('log', '/api/articles\n/api/authors\n')
      await expect(replay({ log, old: old.url, record: '/dev/full' })).rejects.toThrow(
        /^\/dev\/full cannot be written: ENOSPC/,
      )
      expect(old.requests).toHaveLength(1)
    },
  )

  it('preserves the responses recorded before the error', async () => {
    const record = inFolder('part.jsonl')
    const log = await write('log', '/api/articles\n')
    await expect(replay({ log, old: old.url, new: 'http://127.0.0.1:1', record })).rejects.toThrow(
      ReplayError,
    )
    expect(await readFile(record, 'utf8')).toContain('"path":"/api/articles"')
  })
})
