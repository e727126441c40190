import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createOctavo, defineContentType } from '@octavo/core'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { crashTypes } from './writing-server-types.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const fields = Array.from({ length: 64 }, (_, i) => `f${i}`)
const wide = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'wide', pluralName: 'wides' },
  attributes: {
    name: { type: 'string', unique: true },
    ...Object.fromEntries(fields.map((name) => [name, { type: 'integer' as const }])),
  },
})
const knot = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'knot', pluralName: 'knots' },
  attributes: {
    name: { type: 'string' },
    others: { type: 'relation', relation: 'manyToMany', target: 'api::knot.knot', inversedBy: 'backs' },
    backs: { type: 'relation', relation: 'manyToMany', target: 'api::knot.knot', mappedBy: 'others' },
    parent: { type: 'relation', relation: 'manyToOne', target: 'api::knot.knot', inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: 'api::knot.knot', mappedBy: 'parent' },
  },
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [wide, knot],
    database: database.url,
    access: 'open',
    // All writes wait for one entry; on a slow machine longer than the usual limits.
    limits: { queueTime: 300_000, statementTime: 300_000, transactionTime: 300_000 },
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
})
afterAll(async () => {
  await server.close()
  await drop()
})

const tally = (statuses: readonly number[]) =>
  Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, list]) => [status, list.length]),
  )

describe('At the same time', () => {
  it('64 creates with one unique value give one entry and 63 times 400, with the path', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => api.post('/api/wides', { body: { data: { name: 'only one' } } })),
    )
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 400: 63 })
    for (const { status, body } of answers)
      if (status === 400)
        expect(body.error).toMatchObject({
          name: 'ValidationError',
          details: { errors: [{ path: ['name'] }] },
        })
    expect((await api.get('/api/wides?filters[name]=only one')).body.meta.pagination.total).toBe(1)
  })

  it('64 updates of different fields of one entry are all stored', async () => {
    const { id } = (await api.post('/api/wides', { body: { data: { name: 'shared' } } })).body.data
    const answers = await Promise.all(
      fields.map((name, i) => api.put(`/api/wides/${id}`, { body: { data: { [name]: i } } })),
    )
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 64 })
    const { attributes } = (await api.get(`/api/wides/${id}`)).body.data
    expect(fields.map((name) => attributes[name])).toEqual(fields.map((_, i) => i))
  })

  it('relations written crosswise are all written: a deadlock is tried again', async () => {
    const ids: number[] = []
    for (let i = 0; i < 6; i++)
      ids.push((await api.post('/api/knots', { body: { data: { name: `k${i}` } } })).body.data.id)
    const writes = Array.from({ length: 60 }, (_, i) => {
      const [id, other, third] = [ids[i % 6], ids[(i * 5 + 1) % 6], ids[(i * 3 + 2) % 6]]
      const data =
        i % 2 === 0
          ? { others: [other, third], children: { connect: [third] } }
          : { backs: [third, other], parent: other }
      return api.put(`/api/knots/${id}`, { body: { data } })
    })
    expect(tally((await Promise.all(writes)).map(({ status }) => status))).toEqual({ 200: 60 })
  })

  it('40 appends to one list are all stored, each once', async () => {
    const { id } = (await api.post('/api/knots', { body: { data: { name: 'hub' } } })).body.data
    const children = await Promise.all(
      Array.from({ length: 40 }, () =>
        api.post('/api/knots', { body: { data: { name: 'leaf', parent: id } } }),
      ),
    )
    const { data } = (await api.get(`/api/knots/${id}?populate[children][fields]=id`)).body.data.attributes
      .children
    expect(data.map((child: { id: number }) => child.id).sort((a: number, b: number) => a - b)).toEqual(
      children.map(({ body }) => body.data.id).sort((a, b) => a - b),
    )
  })
})

describe('A server that is killed in the middle of 200 writes', () => {
  // An embedded database dies with its process; its durability is that of PostgreSQL, as on a server.
  it.skipIf(testEngine() === 'pglite')('leaves no half-written entry and no orphan', async () => {
    const database = await createTestDatabase()
    const script = fileURLToPath(new URL('./writing-server.ts', import.meta.url))
    const child = spawn(process.execPath, [script, database.url], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(child.stdout, 'data')
    const crashing = createClient(String(line).trim())
    const page = (n: number) => ({
      title: `p${n}`,
      seo: { title: 's' },
      links: [1, 2, 3].map((i) => ({ label: `l${i}`, words: [{ text: 'w' }] })),
    })
    let answered = 0
    const writes = Array.from({ length: 200 }, (_, n) =>
      crashing.post('/api/pages', { body: { data: page(n) } }).then(
        ({ status }) => {
          answered += status === 200 ? 1 : 0
          if (answered === 40) child.kill('SIGKILL')
        },
        () => undefined, // the process has ended
      ),
    )
    await Promise.all(writes)
    expect(child.killed).toBe(true)

    const octavo = await createOctavo({ ...crashTypes, database: database.url })
    const count = async (sql: string) => Number((await octavo.store.query(sql))[0]?.[0])
    const pages = await count('select count(*) from pages')
    expect(pages).toBeGreaterThanOrEqual(40)
    expect(pages).toBeLessThan(200)
    const parts = `(select count(*) from components_shared_seo where owner_id = p.id) = 1 and (select count(*) from components_shared_link l where owner_id = p.id and exists (select 1 from components_shared_word w where w.owner_id = l.id)) = 3`
    expect(await count(`select count(*) from pages p where not (${parts})`)).toBe(0)
    expect(
      await count(
        'select count(*) from components_shared_link l where not exists (select 1 from pages p where p.id = l.owner_id)',
      ),
    ).toBe(0)
    expect(
      await count(
        'select count(*) from components_shared_word w where not exists (select 1 from components_shared_link l where l.id = w.owner_id)',
      ),
    ).toBe(0)
    await octavo.close()
    await database.drop()
  })
})
