import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** A program without a logger of its own. It gets an answer, and one of a route that throws. */
const program = `
import { definePlugin } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
const article = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
}
const failing = definePlugin({
  name: 'failing',
  setup: (host) =>
    host.hook('server:routes', (routes) =>
      routes.add({ method: 'GET', path: '/fail', handler: () => { throw new Error('the reason') } }),
    ),
})
const { DATABASE: database, FORMAT: format } = process.env
const server = await createServer({ contentTypes: [article], plugins: [failing], database, log: format ? { format } : {} })
const { url } = await server.listen(0, '127.0.0.1')
await fetch(url + '/api/articles')
await fetch(url + '/api/fail')
await fetch(url + '/api/articles?filters[titel][$eq]=private&page2=private')
await server.close()
`

let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  url = database.url
  drop = database.drop
})
afterAll(() => drop())

function run(format = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      ...process.env,
      DATABASE: url,
      FORMAT: format,
      LOG_LEVEL: 'info',
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('the log of createServer without a logger', () => {
  it('is JSON on standard error where there is no terminal, with the stack of a 500', () => {
    const { status, stdout, stderr } = run()
    expect([status, stdout]).toEqual([0, ''])
    const lines = stderr
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({
        method: 'GET',
        path: '/api/articles',
        status: 200,
        requestId: expect.any(String),
      }),
    )
    // The line of a 400 is enough to find the mistake, without values.
    expect(lines).toContainEqual(
      expect.objectContaining({
        path: '/api/articles',
        status: 400,
        query: 'filters[titel][$eq]=*&page2=*',
        mistake: 'filters[titel]: article has no attribute "titel"; did you mean "title"?',
      }),
    )
    expect(stderr).not.toContain('private')
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 50,
        err: expect.objectContaining({ stack: expect.stringMatching(/Error: the reason\n +at /) }),
      }),
    )
  })

  it('is lines for people with log.format pretty, as on a terminal', () => {
    const { status, stdout, stderr } = run('pretty')
    expect([status, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/GET \/api\/articles 200 in [\d.]+ ms/)
    expect(stderr).toMatch(/Error: the reason.*\n? +at |Error: the reason\\n +at /)
    expect(stderr).not.toMatch(/^\{"level"/m)
    expect(stderr).toMatch(
      /GET \/api\/articles\?filters\[titel\]\[\$eq\]=\*&page2=\* 400 in [\d.]+ ms: filters\[titel\]: article has no attribute "titel"; did you mean "title"\?/,
    )
  })
})
