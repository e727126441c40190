import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createOctavo } from '@octavo/core'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { command, type Ended, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
let database: string
/** For starts that find no data of each other: of PostgreSQL, or in memory. */
let another: string
let drop: () => Promise<void>

const book = {
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: { title: { type: 'string', required: true }, year: { type: 'integer' } },
}
const data = {
  entries: {
    'api::book.book': [
      { id: 7, title: 'Emma', year: 1815 },
      { id: 9, title: 'Middlemarch', year: 1871 },
    ],
  },
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-cli-'))
  await mkdir(path.join(folder, 'content', 'content-types'), { recursive: true })
  await writeFile(path.join(folder, 'content', 'content-types', 'book.json'), JSON.stringify(book))
  await writeFile(path.join(folder, 'data.json'), JSON.stringify(data))
  // Without plugins there are no roles.
  await writeFile(
    path.join(folder, 'octavo.config.mjs'),
    `export default { content: './content', plugins: [], access: 'open', seedWhenEmpty: './data.json' }`,
  )
  const [made, second] = [await createTestDatabase(), await createTestDatabase()]
  another = second.url
  drop = async () => {
    await made.drop()
    await second.drop()
  }
  // A database in memory ends with its process, and these tests start many processes.
  database = testEngine() === 'pglite' ? `file:${path.join(folder, 'database')}` : made.url
})
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true, force: true })
})

/** A command in a process of its own, as it is installed. */
const alone = (...args: readonly string[]): Promise<Ended> => launch(folder, args).ended
const run = (...args: readonly string[]): Promise<Ended> => command(folder, args)

const start = (...args: readonly string[]) =>
  launch(folder, ['start', '--port', '0', '--host', '127.0.0.1', '--drain', '0', ...args])

/** Starts a server and waits for its address. */
async function started(...args: readonly string[]): Promise<{ url: string; stop: () => Promise<Ended> }> {
  const { url, stop } = start(...args)
  return { url: await url(), stop }
}

const titles = async (url: string): Promise<string[]> => {
  const answer = (await (await fetch(`${url}/api/books?sort=id`)).json()) as {
    data: { attributes: { title: string } }[]
  }
  return answer.data.map(({ attributes }) => attributes.title)
}

describe('the compiled code of modules', () => {
  it('is stored in the node_modules of the project, and nowhere without them', async () => {
    const modules = path.join(folder, 'node_modules')
    const stored = () => readdir(path.join(modules, '.cache', 'octavo')).catch(() => [])
    // Commands of tests share another folder.
    const check = () => launch(folder, ['check'], { NODE_COMPILE_CACHE: undefined }).ended
    expect((await check()).code).toBe(0)
    expect(await stored()).toEqual([])
    await mkdir(modules)
    expect((await check()).code).toBe(0)
    expect(await stored()).toHaveLength(1)
    await rm(modules, { recursive: true })
  })
})

describe('octavo --help', () => {
  it('lists the commands, with examples', async () => {
    const { code, out } = await alone('--help')
    expect(code).toBe(0)
    for (const word of ['start', 'import', 'export', 'check', 'Examples:']) expect(out).toContain(word)
  })

  it('is pointed to by an unknown option and an unknown command', async () => {
    // The command may be one of a plugin, which is known when the plugins have started.
    for (const args of [
      ['start', '--nope'],
      ['nope', '--database', another],
    ]) {
      const { code, err } = await alone(...args)
      expect([code, err]).toEqual([1, expect.stringContaining('--help')])
    }
  })
})

describe('octavo check', () => {
  it('counts the definitions', async () => {
    const { code, out } = await run('check')
    expect([code, out]).toEqual([0, expect.stringContaining('no mistakes')])
  })

  it('prints every mistake, with its file', async () => {
    const broken = path.join(folder, 'broken', 'content-types')
    await mkdir(broken, { recursive: true })
    await writeFile(
      path.join(broken, 'thing.json'),
      JSON.stringify({
        ...book,
        attributes: {
          a: { type: 'strin' },
          b: { type: 'relation', relation: 'manyToOne', target: 'api::nobody.nobody' },
        },
      }),
    )
    const { code, err } = await alone('check', '--content', './broken')
    expect(code).toBe(1)
    for (const word of ['thing.json', 'strin', 'api::nobody.nobody']) expect(err).toContain(word)
    expect(err).not.toContain('    at ')
  })

  it('reports the position in a file that is not JSON', async () => {
    const bad = path.join(folder, 'bad', 'content-types')
    await mkdir(bad, { recursive: true })
    await writeFile(path.join(bad, 'thing.json'), '{\n  "kind": }')
    const { code, err } = await run('check', '--content', './bad')
    expect([code, err]).toEqual([1, expect.stringMatching(/thing\.json.*2/s)])
  })
})

describe('octavo check, of the routes of plugins', () => {
  const configured = (name: string, register: string, plural = 'books'): Promise<void> =>
    writeFile(
      path.join(folder, name),
      `export default {
        contentTypes: [{
          kind: 'collectionType',
          info: { singularName: 'book', pluralName: '${plural}' },
          attributes: { title: { type: 'string' } },
        }],
        plugins: [{
          name: 'shelf',
          setup(host) {
            const octavo = host.start((running) => running)
            host.hook('server:routes', (routes) => ${register})
          },
        }],
      }`,
    )

  it('reports a content-type on the path of a route, like the start', async () => {
    await configured('taken.config.mjs', `routes.add({ method: 'GET', path: '/books', handler() {} })`)
    const refusal =
      'The content-type api::book.book has endpoints that belong to routes of plugins ("shelf"): GET /api/books. Give it another info.pluralName than "books", or give a route of your own another path, or replaces: true to answer in its place'
    const checked = await run('check', '--config', 'taken.config.mjs')
    expect([checked.code, checked.err]).toEqual([1, expect.stringContaining(refusal)])
    const started = await alone('start', '--config', 'taken.config.mjs', '--database', another)
    expect([started.code, started.err]).toEqual([1, expect.stringContaining(refusal)])
  })

  it('warns of routes that only a started plugin can register', async () => {
    await configured(
      'later.config.mjs',
      `octavo() && routes.add({ method: 'GET', path: '/books', handler() {} })`,
    )
    const { code, out } = await run('check', '--config', 'later.config.mjs')
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('The routes of the plugin "shelf" are checked at a start only'),
    ])
  })
})

describe('octavo check --schema', () => {
  it('prints the additions and drops of the next start without making them', async () => {
    const made = await createTestDatabase()
    const url = testEngine() === 'pglite' ? `file:${path.join(folder, 'schema-database')}` : made.url
    const types = path.join(folder, 'indexed', 'content-types')
    await mkdir(types, { recursive: true })
    const declare = (indexes: readonly object[]) =>
      writeFile(
        path.join(types, 'book.json'),
        JSON.stringify({ ...localized, options: { draftAndPublish: true, indexes } }),
      )
    const schema = async () => {
      const { out } = await run('check', '--schema', '--content', './indexed', '--database', url)
      return out.split('\n').slice(1).join('\n')
    }
    const localized = { ...book, pluginOptions: { i18n: { localized: true } } }
    const withIndex = [{ attributes: ['locale', 'publishedAt', 'year'] }]

    await declare(withIndex)
    expect(await schema()).toMatch(/The next start adds:\n.*create table "books"/s)
    expect(await schema()).toMatch(/create index "books_locale_published_at_year_index"/)
    await run('import', 'data.json', '--content', './indexed', '--database', url)
    expect(await schema()).toMatch(/^The database is up to date/)
    await declare([])
    const dropped =
      'The next start drops, since it is no longer declared:\n  drop index "books_locale_published_at_year_index"'
    expect(await schema()).toContain(dropped)
    expect(await schema()).toContain(dropped)
    await writeFile(
      path.join(types, 'book.json'),
      JSON.stringify({ ...localized, attributes: { ...book.attributes, title: undefined } }),
    )
    expect(await schema()).toMatch(
      /Warnings:\n {2}api::book\.book: the column "title" .* has values that no attribute reads/,
    )
    await made.drop()
  })
})

describe('octavo check --counts', () => {
  it('belongs to --repair, which would mend nothing alone', async () => {
    const { code, err } = await command(folder, ['check', '--content', 'content', '--repair'])
    expect([code, err]).toEqual([1, 'octavo: --repair mends what --counts finds: give both, or neither\n'])
  })

  it('compares kept totals with the entries, and repairs them', async () => {
    const made = await createTestDatabase()
    const url = testEngine() === 'pglite' ? `file:${path.join(folder, 'counts-database')}` : made.url
    const types = path.join(folder, 'counted', 'content-types')
    await mkdir(types, { recursive: true })
    const options = { draftAndPublish: true, totals: 'kept' }
    await writeFile(path.join(types, 'book.json'), JSON.stringify({ ...book, options }))
    const check = async (...flags: string[]) => {
      const { out, code } = await run(
        'check',
        '--counts',
        ...flags,
        '--content',
        './counted',
        '--database',
        url,
      )
      return { code, lines: out.trim().split('\n').slice(1) }
    }
    await run('import', 'data.json', '--content', './counted', '--database', url)
    const clean = 'The kept totals are the numbers of entries, and all indexes and links fit the entries'
    expect(await check()).toEqual({ code: 0, lines: [clean] })

    const store = await createOctavo({
      database: url,
      withoutPlugin: ['i18n', 'draft-publish', 'users-permissions', 'upload'],
    })
    await store.store.query('delete from octavo_totals')
    await store.close()
    const difference = (mended: string) =>
      expect.stringMatching(
        new RegExp(`^api::book.book \\["\\w+"\\]: the kept total was 0, and there are \\d+${mended}$`),
      )
    expect(await check()).toEqual({
      code: 1,
      lines: [difference(''), 'octavo check --counts --repair mends this'],
    })
    expect(await check('--repair')).toEqual({ code: 0, lines: [difference('; counted again')] })
    expect(await check()).toEqual({ code: 0, lines: [clean] })
    await made.drop()
  })
})

describe('octavo check --explain', () => {
  const explain = async (lines: readonly string[]) => {
    const log = path.join(folder, 'access.log')
    await writeFile(log, lines.join('\n'))
    const { out, err } = await run('check', '--explain', log)
    return err + out.split('\n').slice(1).join('\n').trim()
  }
  const combined = (url: string) =>
    `192.0.2.1 - - [21/Nov/2026:03:00:00 +0000] "GET ${url} HTTP/1.1" 200 512 "-" "curl/8"`
  const ours = (query: string) =>
    JSON.stringify({ level: 30, method: 'GET', path: '/api/books', query, status: 200, ms: 1 })

  it('names lists without an index, the most frequent first, with the missing index', async () => {
    const lines = [
      combined('/api/books?sort=year:desc'),
      combined('/api/books?filters%5Btitle%5D=Emma&sort=year'),
      ours('filters[title][$eq]=*&sort=year'),
      combined('/api/books?filters[title][$contains]=a'),
      combined('/api/books?filters[id]=3&sort=year'),
      combined('/api/books/3?sort=year'),
      combined('/api/books?filters[nothing]=3'),
      'no request at all',
    ]
    expect(await explain(lines)).toBe(
      [
        'api::book.book: no index serves filter title $eq, sort year:asc (2 of 6 lists)',
        '  options.indexes: {"attributes":["title","year","id"]}',
        'api::book.book: no index serves filter title $contains (1 of 6 lists)',
        '  options.search: {"attributes":["title"]}',
        'api::book.book: no index serves sort year:desc (1 of 6 lists)',
        '  options.indexes: {"attributes":["year","id"]}',
      ].join('\n'),
    )
  })
  it('succeeds without advice, and reports an empty log', async () => {
    expect(await explain([combined('/api/books?sort=id'), combined('/api/books')])).toBe(
      'Every filter and sort of 2 lists has an index',
    )
    expect(await explain(['nothing'])).toMatch(/^The log has no requests for lists/)
    const { code, err } = await run('check', '--explain', 'nowhere.log')
    expect([code, err]).toEqual([1, expect.stringContaining('nowhere.log')])
  })
})

describe('octavo start', () => {
  it('prints the addresses of its pages first', async () => {
    // With the plugins of a project that has no configuration.
    const { url: place, drop: dropPlace } = await createTestDatabase()
    const flags = ['--content', './content', '--database', place, '--log', 'pretty']
    const { url, stop } = await started(...flags)
    expect((await fetch(`${url}/`)).status).toBe(200)
    const { out } = await stop()
    const [, addresses = ''] = out.split(`Octavo listens on ${url}\n\n`)
    expect(addresses.split('\n').slice(0, 3)).toEqual(
      ['/', '/docs/query', '/docs'].map((page) => `  ${url}${page}`),
    )
    await dropPlace()
  })

  it('fills an empty database, serves it, ends on a signal, finds the data again, and reports a port in use', async () => {
    const first = await started('--database', database)
    expect(await titles(first.url)).toEqual(['Emma', 'Middlemarch'])
    await fetch(`${first.url}/api/books`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { title: 'Ulysses' } }),
    })
    expect(await first.stop()).toMatchObject({ code: 0 })
    const again = await started('--database', database)
    expect(await titles(again.url)).toEqual(['Emma', 'Middlemarch', 'Ulysses'])
    const { port } = new URL(again.url)
    const { code, err } = await alone('start', '--database', another, '--host', '127.0.0.1', '--port', port)
    expect([code, err]).toEqual([1, expect.stringContaining('in use')])
    await again.stop()
  })

  it('refuses to seed a database that has entries', async () => {
    const { code, err } = await run('start', '--seed', 'data.json', '--database', database, '--port', '0')
    expect([code, err]).toEqual([1, expect.stringMatching(/empty database.*api::book\.book/s)])
  })

  it('names host, port and reason of a database that does not answer, in one line', async () => {
    const { code, err } = await run('start', '--database', 'postgres://me:secret@127.0.0.1:1/site')
    expect([code, err]).toEqual([
      1,
      'octavo: PostgreSQL at 127.0.0.1:1 does not answer: connection refused\n',
    ])
  })

  it('reports an embedded database in use in one line', async () => {
    const place = `file:${path.join(folder, 'in-use')}`
    const first = await started('--database', place)
    const { code, err } = await run('start', '--database', place, '--port', '0')
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^octavo: The database in .* is in use by process \d+.*\n$/),
    ])
    await first.stop()
  })

  it.each([
    ['--log', 'xml'],
    ['--drain', 'soon'],
    ['--wait', '-1s'],
  ])('refuses %s %s', async (option, value) => {
    const { code, err } = await run('start', '--database', 'memory://', '--port', '0', `${option}=${value}`)
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^octavo: ${option} is .*"${value}"\n$`)),
    ])
  })

  it('ends gracefully, with exit code 1, after an uncaught error', async () => {
    await writeFile(
      path.join(folder, 'stray.config.mjs'),
      `export default { content: './content', plugins: [
        { name: 'stray', setup: (host) => host.hook('server:routes', (routes) => {
          routes.add({ method: 'GET', path: '/stray', handler: (context) => {
            setTimeout(() => Promise.reject(new Error('a stray rejection')))
            return new Promise((resolve) => setTimeout(() => { context.body = { done: true }; resolve() }, 300))
          } })
        }) }] }`,
    )
    const { url, ended } = start('--config', 'stray.config.mjs', '--database', another)
    expect(await (await fetch(`${await url()}/api/stray`)).json()).toEqual({ done: true })
    const { code, err } = await ended
    expect([code, err]).toEqual([1, expect.stringMatching(/a stray rejection.*the server ends/s)])
  })

  it.each(['abc', '-1', '70000', '1.5'])('refuses the port %s before it opens the database', async (port) => {
    const { code, err } = await run('start', `--port=${port}`, '--database', 'file:./not-created')
    expect([code, err]).toEqual([1, expect.stringContaining('from 0 to 65535')])
    expect(await readdir(folder)).not.toContain('not-created')
  })

  it('refuses a database URL of another kind', async () => {
    const { code, err } = await run('start', '--database', 'mysql://x')
    expect([code, err]).toEqual([1, expect.stringContaining('memory://')])
  })

  it('reports missing content-types', async () => {
    const { code, err } = await run('start', '--config', 'nowhere.ts')
    expect([code, err]).toEqual([1, expect.stringContaining('nowhere.ts')])
  })
})

describe('octavo export and import', () => {
  it('preserve ids, and an invalid file changes nothing', async () => {
    const flags = ['--database', database]
    expect(await alone('export', 'out.json', ...flags)).toMatchObject({ code: 0 })
    const exported = JSON.parse(await readFile(path.join(folder, 'out.json'), 'utf8'))
    expect(exported.entries['api::book.book']).toMatchObject([
      { id: 7, title: 'Emma' },
      { id: 9, title: 'Middlemarch' },
      { title: 'Ulysses' },
    ])

    await writeFile(
      path.join(folder, 'wrong.json'),
      JSON.stringify({
        entries: {
          'api::book.book': [
            { id: 20, title: 'New' },
            { id: 21, title: 'Bad', year: 'soon' },
          ],
        },
      }),
    )
    const { code, err } = await alone('import', 'wrong.json', ...flags)
    expect([code, err]).toEqual([1, expect.stringMatching(/id 21.*year/s)])
    expect(await run('export', 'again.json', ...flags)).toMatchObject({ code: 0 })
    expect(JSON.parse(await readFile(path.join(folder, 'again.json'), 'utf8'))).toEqual(exported)
  })
})

describe('octavo start --workers', () => {
  it('needs a PostgreSQL server, and names it on the embedded database', async () => {
    const { code, err } = await alone('start', '--workers', '2', '--database', 'memory://', '--port', '0')
    expect([code, err]).toEqual([1, expect.stringContaining('2 workers need a PostgreSQL server')])
  })

  it.each(['0', '1.5', 'many', '-1'])('refuses %s', async (count) => {
    const { code, err } = await run('start', `--workers=${count}`, '--database', database)
    expect([code, err]).toEqual([1, expect.stringContaining('--workers is auto or a whole number')])
  })

  describe.skipIf(testEngine() === 'pglite')('on PostgreSQL', () => {
    const config = `import { appendFileSync } from 'node:fs'
    export default { content: './content', plugins: [
      { name: 'who', setup: (host) => { const octavo = host.start((octavo) => octavo); host.hook('server:routes', (routes) => {
        routes.add({ method: 'GET', path: '/pid', handler: async (context) => {
          if (context.query.wait) {
            appendFileSync('waiting', '.')
            await new Promise((resolve) => setTimeout(resolve, 700))
          }
          context.body = String(process.pid)
        } })
        routes.add({ method: 'GET', path: '/processes', handler: (context) => { context.body = String(routes.processes) } })
        routes.add({ method: 'GET', path: '/add', handler: async (context) => {
          await octavo().addContentType({
            kind: 'collectionType', info: { singularName: 'tag', pluralName: 'tags' }, attributes: { name: { type: 'string' } },
          })
          context.body = 'added'
        } })
        routes.add({ method: 'GET', path: '/has', handler: (context) => {
          context.body = process.pid + ' ' + octavo().registry.contentTypes.has('api::tag.tag')
        } })
        routes.add({ method: 'GET', path: '/die', handler: () => process.exit(3) })
      }) } }] }`
    let other: { readonly url: string; readonly drop: () => Promise<void> }
    const begin = async (...args: readonly string[]) => {
      await writeFile(path.join(folder, 'workers.config.mjs'), config)
      other = await createTestDatabase()
      return started('--config', 'workers.config.mjs', '--database', other.url, '--workers', '3', ...args)
    }
    const get = async (url: string, query = '') =>
      (await fetch(`${url}/api/${query}`, { headers: { connection: 'close' } })).text()
    const pids = async (url: string): Promise<Set<string>> => {
      const found = new Set<string>()
      for (let i = 0; i < 60; i++) found.add(await get(url, 'pid'))
      return found
    }

    // One test, because three processes are started for it and two in place of those that end.
    it('serve on one address, import the seed once, replace a process that ends, all have a content-type that one of them adds, also the one that replaces another, and answer requests in flight before they end', async () => {
      const server = await begin('--seed', 'data.json')
      expect(await titles(server.url)).toEqual(['Emma', 'Middlemarch'])
      // The address is printed when the first of them listens.
      let before = new Set<string>()
      await expect
        .poll(
          async () => {
            before = await pids(server.url)
            return before.size
          },
          { timeout: 60_000 },
        )
        .toBe(3)
      expect(await get(server.url, 'processes')).toBe('3')
      await expect(get(server.url, 'die')).rejects.toThrow()
      // A connection that was kept open may have been one to the process that ended.
      const served = () => titles(server.url).catch(String)
      await expect.poll(served, { timeout: 60_000 }).toEqual(['Emma', 'Middlemarch'])
      let after = new Set<string>()
      const again = async () => {
        after = await pids(server.url)
        return after.size
      }
      await expect.poll(again, { timeout: 120_000 }).toBe(3)
      expect([...after].filter((pid) => !before.has(pid))).toHaveLength(1)

      expect(await get(server.url, 'add')).toBe('added')
      const withType = async (): Promise<Set<string>> => {
        const found = new Set<string>()
        for (let i = 0; i < 60; i++) found.add(await get(server.url, 'has'))
        return found
      }
      const all = [1, 2, 3].map(() => expect.stringMatching(/^\d+ true$/))
      await expect.poll(async () => [...(await withType())], { timeout: 120_000 }).toEqual(all)
      await expect(get(server.url, 'die')).rejects.toThrow()
      await expect.poll(async () => [...(await withType())], { timeout: 120_000 }).toEqual(all)
      after = await pids(server.url)

      const slow = [1, 2, 3, 4].map(() => get(server.url, 'pid?wait=1'))
      const waiting = path.join(folder, 'waiting')
      await expect.poll(() => readFile(waiting, 'utf8').catch(() => '')).toBe('....')
      const ended = server.stop()
      for (const pid of await Promise.all(slow)) expect(Number(pid)).toBeGreaterThan(1)
      const { code, out, err } = await ended
      expect([code, out.match(/Octavo listens on/g)?.length]).toEqual([0, 1])
      expect(err).toContain('A worker ended and is replaced')
      // No process is left behind.
      for (const pid of after) expect(() => process.kill(Number(pid), 0)).toThrow()
      await other.drop()
    })

    it('end the command when their port is taken', async () => {
      await writeFile(path.join(folder, 'workers.config.mjs'), config)
      other = await createTestDatabase()
      const taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const port = String((taken.address() as AddressInfo).port) // it listens on a port
      const { code, err } = await alone(
        'start',
        '--config',
        'workers.config.mjs',
        '--database',
        other.url,
        '--workers',
        '2',
        '--host',
        '127.0.0.1',
        '--port',
        port,
      )
      expect([code, err]).toEqual([1, expect.stringContaining(`Port ${port} is in use`)])
      taken.close()
      await other.drop()
    })

    it('end the command when one of them cannot start', async () => {
      other = await createTestDatabase()
      const file = `export default { content: './content', plugins: [
        { name: 'broken', setup: (host) => host.hook('octavo:start', () => {
          if (process.env.OCTAVO_WORKERS) throw new Error('not here')
        }) } ] }`
      await writeFile(path.join(folder, 'broken.config.mjs'), file)
      const where = ['--config', 'broken.config.mjs', '--database', other.url, '--port', '0']
      const { code, err } = await alone('start', ...where, '--workers', '2')
      expect([code, err]).toEqual([1, expect.stringContaining('octavo: A worker could not start')])
      await other.drop()
    })
  })
})
