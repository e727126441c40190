import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { command, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const demo = fileURLToPath(new URL('../../../apps/demo/octavo.config.ts', import.meta.url))

/** A list in its default order, one with relations, one entry, a count of nothing, and a refusal: 400. */
const paths = [
  '/api/books',
  '/api/books?populate[authors][fields]=name&sort=firstPublished',
  '/api/authors/1',
  '/api/authors?filters[name][$eq]=Nobody',
  '/api/books?sort=nothing',
]

interface Body {
  data: { id: number; attributes: Record<string, unknown> }[]
}

/** A proxy of the demo that changes the responses to `/api/books` and records the requests. */
class Changed {
  readonly methods: string[] = []
  readonly tokens = new Set<string | undefined>()
  change: (body: Body) => void = () => {}
  status: number | undefined
  readonly #server: Server

  constructor(behind: () => string) {
    this.#server = createServer(async (request, response) => {
      this.methods.push(request.method ?? '')
      this.tokens.add(request.headers['x-from'] as string | undefined)
      const answer = await fetch(behind() + request.url)
      const body = (await answer.json()) as Body
      const isChanged = request.url === '/api/books'
      if (isChanged) this.change(body)
      response.writeHead((isChanged && this.status) || answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  }

  listen = () => new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  close = () => this.#server.close()
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}` // it listens on a port
  }
}

let folder: string
let drop: () => Promise<void>
let url: string
let stop: () => Promise<unknown>
const changed = new Changed(() => url)

const replay = (...args: readonly string[]) => command(folder, ['replay', ...args])
/** In a process of its own, as it is installed. */
const replayAlone = (...args: readonly string[]) => launch(folder, ['replay', ...args]).ended

const write = async (name: string, text: string): Promise<string> => {
  await writeFile(path.join(folder, name), text)
  return name
}
const list = () => write('urls.txt', paths.join('\n'))

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-replay-cli-'))
  const made = await createTestDatabase()
  drop = made.drop
  const database = testEngine() === 'pglite' ? 'memory://' : made.url
  const started = launch(folder, [
    'start',
    ...['--config', demo, '--database', database],
    ...['--port', '0', '--host', '127.0.0.1', '--drain', '0'],
  ])
  stop = started.stop
  url = await started.url()
  await changed.listen()
})
afterAll(async () => {
  changed.close()
  await stop()
  await drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  changed.change = () => {}
  changed.status = undefined
  changed.methods.length = 0
  changed.tokens.clear()
})

describe('octavo replay', () => {
  it('finds no difference between the demo and itself: exit code 0', async () => {
    const { code, out, err } = await replayAlone(await list(), '--old', url, '--new', url)
    expect(err).toBe('')
    expect(out).toMatch(/^All of 5 requests agree\.\n\nold: p50 [\d.]+ ms, p95 [\d.]+ ms/)
    expect(code).toBe(0)
  })

  it.each<[string, (body: Body) => void, string]>([
    [
      'an attribute that is missing',
      ({ data }) => delete data[1]?.attributes.title,
      'Changed\n  title is missing: 1 request of books\n    /api/books\n      old  "',
    ],
    [
      'an entry that is missing',
      ({ data }) => data.shift(),
      'Changed\n  Other entries in data: 1 request of books\n    /api/books\n      old  1, 2',
    ],
  ])('finds %s: exit code 1', async (_, change, group) => {
    changed.change = change
    const { code, out } = await replay(await list(), '--old', url, '--new', changed.url)
    expect(out).toContain(`1 of 5 requests differs.\n\n${group}`)
    expect(code).toBe(1)
  })

  it('lists a deliberate difference apart, with exit code 0: the order of a list without sort', async () => {
    changed.change = ({ data }) => data.reverse()
    const { code, out } = await replay(await list(), '--old', url, '--new', changed.url)
    expect(out).toContain(
      'All of 5 requests agree; 1 request differs deliberately only.\n\nDeliberate differences\n  Lists without sort: 1 request of books\n',
    )
    expect(code).toBe(0)
  })

  it('finds another status: exit code 1, a page and a JSON file with the place', async () => {
    changed.status = 404
    const files = ['--html', 'report.html', '--json', 'report.json']
    const { code, out } = await replay(await list(), '--old', url, '--new', changed.url, ...files)
    expect(code).toBe(1)
    expect(out).toContain('Broken: requests that fail now\n  404 in place of 200: 1 request of books')
    expect(JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'))).toMatchObject({
      old: url,
      new: changed.url,
      requests: 5,
      different: 1,
      deliberate: 0,
      groups: [
        {
          rank: 'broken',
          title: '404 in place of 200',
          contentTypes: ['books'],
          kind: 'status',
          at: '',
          requests: 1,
          examples: [{ path: '/api/books', old: '200', new: '404' }],
        },
      ],
      times: { old: { p50: expect.any(Number), p95: expect.any(Number) } },
    })
    const page = await readFile(path.join(folder, 'report.html'), 'utf8')
    expect(page).toContain('1 of 5 requests differs.')
    expect(page).toContain('<h4>old</h4><code>200</code>')
    expect(page).toContain('<h4>new</h4><code>404</code>')
  })

  it('takes no account of a place that is ignored', async () => {
    changed.change = ({ data }) => Object.assign(data[0]?.attributes ?? {}, { updatedAt: 'later' })
    const servers = ['--old', url, '--new', changed.url]
    expect((await replay(await list(), ...servers)).code).toBe(1)
    const place = 'data[*].attributes.updatedAt'
    expect((await replay(await list(), ...servers, '--ignore', place)).code).toBe(0)
  })

  it('reads a combined log, and sends its reads only, each once, with the headers that are given', async () => {
    const line = (request: string) =>
      `10.0.0.1 - - [10/Oct/2024:13:55:36 +0000] "${request} HTTP/1.1" 200 99 "-" "curl/8"`
    const log = [
      ...[...paths, '/api/books'].map((read) => line(`GET ${read}`)),
      line('POST /api/books'),
      line('DELETE /api/books/1'),
    ]
    const { code, out } = await replay(
      await write('access.log', log.join('\n')),
      ...['--old', url, '--new', changed.url, '--header', 'X-From: the replay'],
    )
    expect(out).toContain('All of 5 requests agree.')
    expect(code).toBe(0)
    expect(changed.methods).toEqual(paths.map(() => 'GET'))
    expect([...changed.tokens]).toEqual(['the replay'])
  })

  it('reads a HAR file', async () => {
    const entries = [
      ...paths.map((read) => ({ request: { method: 'GET', url: `https://old.example${read}` } })),
      { request: { method: 'PUT', url: 'https://old.example/api/books/1' } },
    ]
    const har = await write('site.har', JSON.stringify({ log: { entries } }))
    const { code, out } = await replay(har, '--old', url, '--new', changed.url)
    expect(out).toContain('All of 5 requests agree.')
    expect(code).toBe(0)
    expect(changed.methods).toEqual(paths.map(() => 'GET'))
  })

  it('records the answers of the old server, and compares with them without it', async () => {
    const recorded = await replay(await list(), '--old', url, '--record', 'answers.jsonl')
    expect(recorded).toMatchObject({ code: 0, out: '5 answers recorded in answers.jsonl\n' })
    const again = ['--old', 'answers.jsonl', '--new', changed.url]
    expect((await replay(...again)).code).toBe(0)
    changed.change = ({ data }) => data.pop()
    const { code, out } = await replay(...again)
    expect(out).toContain('Other entries in data: 1 request of books')
    expect(code).toBe(1)
  })

  it.each([
    ['a log that does not exist', ['gone.log', '--old', 'http://127.0.0.1:1', '--new', 'http://127.0.0.1:1']],
    [
      'a server that does not answer',
      ['urls.txt', '--old', 'http://127.0.0.1:1', '--new', 'http://127.0.0.1:1'],
    ],
    ['a header without a name', ['urls.txt', '--old', 'http://127.0.0.1:1', '--header', 'nothing']],
    ['a rate that is no number', ['urls.txt', '--old', 'http://127.0.0.1:1', '--rate', 'slow']],
    [
      'a page that cannot be written',
      ['urls.txt', '--old', 'SERVER', '--new', 'SERVER', '--html', 'gone/x.html'],
    ],
  ])('reports a failure in one line, with exit code 2: %s', async (_, args) => {
    await list()
    const { code, err } = await replay(...args.map((arg) => (arg === 'SERVER' ? url : arg)))
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toMatch(/^octavo: /)
    expect(code).toBe(2)
  })

  it.each([[['urls.txt']], [['urls.txt', '--old', 'http://127.0.0.1:1', '--unknown']]])(
    'refuses a wrong command line with exit code 2: %j',
    async (args) => {
      expect(await replay(...args)).toMatchObject({ code: 2, out: '' })
    },
  )

  it('lists its exit codes', async () => {
    expect(await replay('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 some differ otherwise'),
    })
  })
})
