import type { ExplainedNode, ExplainedStep, Explanation } from '@octavo/core'
import { pages } from '@octavo/plugin-pages'
import { createServer } from '@octavo/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSite } from './site.ts'

type Site = Awaited<ReturnType<typeof openSite>>
let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const explain = async (path: string, token?: string, headers?: Record<string, string>) => {
  const { status, body } = await site.api.get(path, { token, ...(headers && { headers }) })
  expect([status, body.error]).toEqual([200, undefined])
  return body as Explanation
}
const stepsOf = (step: ExplainedStep | undefined): readonly ExplainedStep[] =>
  step ? [step, ...step.steps.flatMap(stepsOf)] : []

describe('?explain=true', () => {
  it('names the plugin that narrows a node, its condition, and how many entries it hides', async () => {
    const { pruned } = await explain('/api/articles?explain=true')
    expect(pruned).toContainEqual({
      kind: 'narrowed',
      by: 'draft-publish',
      at: '',
      model: 'api::article.article',
      condition: { publishedAt: { $lte: { $runtime: 'now' } } },
      hides: 1,
    })
  })

  it('names the locale that narrows a list', async () => {
    const { pruned } = await explain('/api/authors?explain=true&locale=fr')
    const [locale] = pruned.filter(({ by }) => by === 'i18n')
    expect(locale).toMatchObject({ kind: 'narrowed', at: '', model: 'api::author.author', hides: 1 })
    expect(JSON.stringify(locale?.condition)).toContain('locale')
  })

  it('has the values that depend on the request', async () => {
    const { pruned } = await explain('/api/authors?explain=true')
    expect(JSON.stringify(pruned.find(({ by }) => by === 'i18n')?.condition)).toMatch(
      /"\$runtime":"i18n\.default-of-caller","value":"en"/,
    )
  })

  it('names the places of conditions on populated nodes and in filters', async () => {
    const query = 'populate[articles][populate]=author&filters[articles][title]=x'
    const { pruned } = await explain(`/api/authors?explain=true&${query}`)
    const drafts = pruned.filter(({ by }) => by === 'draft-publish').map(({ at }) => at)
    expect(drafts).toEqual(['filters[articles]', 'populate[articles]'])
  })

  it('names hidden attributes, and relations to entries that may not be read', async () => {
    const { pruned, nodes } = await explain('/api/articles?explain=true&populate=*')
    expect(pruned).toContainEqual({
      kind: 'hidden',
      by: 'users-permissions',
      at: '',
      model: 'api::article.article',
      attribute: 'note',
    })
    expect(pruned).toContainEqual({
      kind: 'forbidden',
      by: 'users-permissions',
      at: 'populate[diary]',
      model: 'api::diary.diary',
    })
    expect(pruned).toContainEqual({
      kind: 'hidden',
      by: 'definition',
      at: '',
      model: 'api::article.article',
      attribute: 'secret',
    })
    expect(nodes?.fields).not.toContain('note')
    expect(nodes?.children.map(({ at }: ExplainedNode) => at)).toEqual(['populate[author]'])
  })

  it('reports a name in populate that does not exist', async () => {
    const { pruned } = await explain('/api/articles?explain=true&populate=athor')
    expect(pruned.filter(({ kind }) => kind === 'unknown')).toEqual([
      { kind: 'unknown', by: 'definition', at: '', model: 'api::article.article', attribute: 'athor' },
    ])
  })

  it('explains why an entry is not found', async () => {
    const path = '/api/articles/3'
    expect((await site.api.get(path)).status).toBe(404)
    const { pruned } = await explain(`${path}?explain=true`)
    expect(pruned.find(({ by }) => by === 'draft-publish')?.hides).toBe(1)
  })

  it('shows nodes, the statement with placeholders and values, the steps with estimated and real rows, and times', async () => {
    const query = 'filters[title][$startsWith]=First&sort=title:desc&pagination[pageSize]=5'
    const { nodes, statement, plan, times } = await explain(`/api/articles?explain=true&${query}`)
    expect(nodes).toMatchObject({
      at: '',
      model: 'api::article.article',
      sort: ['title:desc', 'id:asc'],
      limit: 5,
      where: { $and: [expect.anything(), { title: { $startsWith: 'First%' } }] },
    })
    expect(statement?.text).toMatch(/^select .*\$\d/s)
    expect(statement?.text).not.toContain('First')
    expect(JSON.stringify(statement?.values)).toContain('First')
    const scan = stepsOf(plan).find(({ table, loops }) => table === 'articles' && loops > 0)
    expect(scan).toMatchObject({ rows: 1, estimatedRows: expect.any(Number), loops: expect.any(Number) })
    expect(Object.keys(times).sort()).toEqual(['compile', 'execute', 'parse', 'plan', 'resolve'])
  })

  it('has a cache hit after the same read, wherever `explain` is in the query', async () => {
    const query = 'fields=title&pagination[page]=7'
    expect((await explain(`/api/articles?${query}&explain=true`)).cache).toBe('miss')
    expect((await explain(`/api/articles?${query}&explain=true`)).cache).toBe('miss')
    await site.api.get(`/api/articles?${query}`)
    expect((await explain(`/api/articles?fields=title&explain=true&pagination[page]=7`)).cache).toBe('hit')
  })

  it('explains a refused read, with the plugin that hides the name', async () => {
    const { refused, pruned, statement } = await explain('/api/articles?explain=true&fields=note')
    expect(refused).toMatchObject({ status: 400, code: 'query/unknown-attribute' })
    expect(pruned.some(({ attribute, by }) => attribute === 'note' && by === 'users-permissions')).toBe(true)
    expect(statement).toBeUndefined()
  })

  it('is the answer of a read only where `explain` is true, and never cached', async () => {
    expect((await site.api.get('/api/articles?explain=false')).body.data).toHaveLength(2)
    expect((await site.api.get('/api/articles?filters[title]=explain')).body.data).toEqual([])
    expect((await site.api.get('/api/articles?explain=yes')).body.error).toMatchObject({
      status: 400,
      details: { code: 'pages/bad-explain' },
    })
    const { headers } = await site.api.get('/api/articles?explain=true')
    expect(headers.get('cache-control')).toBe('private, no-store')
  })

  it('changes nothing', async () => {
    const before = (await site.api.get('/api/articles?sort=id')).text
    await explain('/api/articles?explain=true')
    expect((await site.api.get('/api/articles?sort=id')).text).toBe(before)
  })
})

describe('Explanations are refused', () => {
  const refusal = { status: 403, details: { code: 'pages/explain-forbidden' } }
  const ask = async (headers: Record<string, string>) =>
    (await site.api.get('/api/articles?explain=true', { headers })).body.error

  it.each([
    ['through a proxy', { 'X-Forwarded-For': '127.0.0.1' }],
    ['to a page of another site', { Origin: 'https://example.org' }],
    ['to a page of another site that sends no origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['to a page of another port', { 'Sec-Fetch-Site': 'same-site' }],
  ])('%s', async (_, headers) => {
    expect(await ask(headers)).toMatchObject(refusal)
  })

  it('to a name that is not this machine, which a foreign site may resolve to it', async () => {
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      request(
        `${site.url}/api/articles?explain=true`,
        { headers: { Host: 'rebound.example:1337' } },
        (answer) => resolve(answer.resume().statusCode),
      )
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
  })

  it('before the read is, to callers who may not read the type', async () => {
    const { body } = await site.api.get('/api/diaries?explain=true')
    expect(body.error).toMatchObject({ status: 403, details: { code: 'auth/forbidden' } })
  })

  it('names nothing in the refusal', async () => {
    const { text } = await site.api.get('/api/articles?explain=true&populate=diary', {
      headers: { Origin: 'https://example.org' },
    })
    expect(text).not.toMatch(/diary|note|select/)
  })
})

describe('In production', () => {
  let production: Site
  beforeAll(async () => {
    production = await openSite({ development: false })
  })
  afterAll(() => production.close())
  const ask = async (token?: string, query = '') =>
    production.api.get(`/api/articles?explain=true${query}`, { token })

  it('explanations are refused to local callers and to roles without the right', async () => {
    const refusal = { status: 403, details: { code: 'pages/explain-forbidden' } }
    expect((await ask()).body.error).toMatchObject(refusal)
    expect((await ask(await production.login('reader'))).body.error).toMatchObject(refusal)
  })

  it('a role with the right sees the explanation of its own reads, without values', async () => {
    const { status, body, text } = await ask(
      await production.login('analyst'),
      '&filters[title][$contains]=confidential',
    )
    expect(status).toBe(200)
    expect(body.pruned).toContainEqual(
      expect.objectContaining({ by: 'users-permissions', attribute: 'note' }),
    )
    expect(body.nodes.where.$and).toContainEqual({ title: { $contains: '?' } })
    expect(body.statement.values).toBeUndefined()
    // Drafts are not for this role.
    expect([body.plan, body.times.execute, text.includes('hides')]).toEqual([undefined, undefined, false])
    expect(text).not.toContain('confidential')
  })

  it('a role with the right to values sees them', async () => {
    const token = await production.login('operator')
    const { body } = await ask(token, '&filters[title][$contains]=light')
    expect(JSON.stringify(body.statement.values)).toContain('light')
  })

  it('development: true does not start', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    try {
      await expect(createServer({ plugins: [pages({ development: true })] })).rejects.toThrow(
        /refused with NODE_ENV=production/,
      )
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('explanations are refused where no plugin authorizes requests', async () => {
    const server = await createServer({
      contentTypes: [
        { kind: 'collectionType', info: { singularName: 'tag', pluralName: 'tags' }, attributes: {} },
      ],
      plugins: [pages({ development: false })],
      database: 'memory://',
    })
    try {
      const { url } = await server.listen(0, '127.0.0.1')
      expect((await fetch(`${url}/api/tags?explain=true`)).status).toBe(403)
      expect((await fetch(`${url}/api/tags`)).status).toBe(200)
    } finally {
      await server.close()
    }
  })
})
