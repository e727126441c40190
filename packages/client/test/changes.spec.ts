/** The feed of changes, on a server that is cut off from its clients. */
import { connect, createServer as createProxy, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CallOptions, createClient } from '../src/index.ts'
import { openSite, type Site } from './site.ts'

type Changes = ReturnType<ReturnType<typeof clientAt>['changes']['follow']>

let site: Site
/** The responses of the next requests for the feed; afterwards the server answers. */
let answers: { status: number; body?: string; type?: string; headers?: Record<string, string> }[] = []
let requests: string[] = []
beforeEach(() => {
  answers = []
  requests = []
})
beforeAll(async () => {
  site = await openSite({
    feed: { heartbeat: 50, keep: 20 },
    middleware: [
      async (context, next) => {
        if (context.path !== '/api/_changes') return next()
        requests.push(String(context.query.since))
        const answer = answers.shift()
        if (!answer) return next()
        context.status = answer.status
        context.set(answer.headers ?? {})
        context.type = answer.type ?? 'text/html'
        context.body = answer.body ?? 'a proxy'
      },
    ],
  })
  await createClient({ url: site.url }).auth.register({
    username: 'ada',
    email: 'ada@example.org',
    password: 'Password123',
  })
})
afterAll(() => site.close())

const clientAt = (url: string) => createClient<typeof import('./model.ts').contentTypes>({ url })
const ada = async (url = site.url) => {
  const api = clientAt(url)
  await api.auth.login({ identifier: 'ada', password: 'Password123' })
  return api
}
const authors = () => site.server.octavo.entries('author', site.operator)
const create = (name: string) => authors().create({ name })

/** A walk over the changes from now on, by way of a proxy. */
async function walkByProxy(options: CallOptions) {
  const proxy = await openProxy()
  const api = await ada(proxy.url)
  const { meta } = await api.changes.find()
  return { proxy, walk: api.changes.follow({ since: meta.cursor }, options) }
}

/** The next changes of a walk, as `kind id`. */
async function take(walk: Changes, count: number): Promise<readonly string[]> {
  const taken: string[] = []
  while (taken.length < count) {
    const { value } = await walk.next()
    taken.push(value ? `${value.kind} ${value.id}` : 'the end')
  }
  return taken
}

/** An address whose connections can be cut, and whose bytes can be held back. */
async function openProxy() {
  const sockets = new Set<Socket>()
  let isSilent = false
  const streams = new Set<Socket>()
  const target = new URL(site.url)
  const proxy = createProxy((socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const one of [socket, upstream]) {
      sockets.add(one.on('error', () => one.destroy()).on('close', () => sockets.delete(one)))
    }
    socket.on('data', (bytes) => {
      if (bytes.includes('accept: text/event-stream')) streams.add(socket)
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => !isSilent && socket.write(bytes))
    socket.on('close', () => {
      streams.delete(socket)
      upstream.destroy()
    })
    upstream.on('close', () => socket.destroy())
  })
  const listen = (port = 0) =>
    new Promise<number>((resolve) => {
      proxy.listen(port, '127.0.0.1', () => resolve((proxy.address() as { port: number }).port))
    })
  const port = await listen()
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    /** The number of connections with an open response of the feed. */
    streams: () => streams.size,
    silence: (given: boolean): void => {
      isSilent = given
    },
    /** Refuses connections until the returned function is called. */
    down: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve))
      cut()
      await closed
      return () => listen(port)
    },
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve))
      cut()
      await closed
    },
  }
}

describe('the feed of changes', () => {
  it('is read page by page from the present cursor on', async () => {
    const api = await ada()
    const { data, meta } = await api.changes.find()
    expect(data).toEqual([])
    const { id } = await create('Ada')
    const page = await api.changes.find({ since: meta.cursor })
    expect(page.data).toEqual([
      { kind: 'created', type: 'api::author.author', id, at: expect.stringMatching(/Z$/) },
    ])
    expect(page.meta.hasMore).toBe(false)
    expect((await api.changes.find({ since: page.meta.cursor })).data).toEqual([])
  })

  it('is followed over earlier and new changes, each with the cursor after it', async () => {
    const api = await ada()
    const { meta } = await api.changes.find()
    const { id } = await create('Ada')
    await authors().update(id, { name: 'Ada L.' })
    const walk = api.changes.follow({ since: meta.cursor })
    const { value: first } = await walk.next()
    expect(first).toMatchObject({ kind: 'created', type: 'api::author.author', id })
    expect(await take(walk, 1)).toEqual([`updated ${id}`])
    const next = take(walk, 1)
    await authors().delete(id)
    expect(await next).toEqual([`deleted ${id}`])
    await walk.return()
    // A stored cursor is the position after its change; earlier changes of a deleted entry are not shown.
    const later = api.changes.follow({ since: first?.cursor })
    expect(await take(later, 1)).toEqual([`deleted ${id}`])
    await later.return()
  })

  it('without a cursor is followed from now on', async () => {
    const api = await ada()
    await create('before')
    const walk = api.changes.follow()
    const next = walk.next()
    // The walk has begun when its request has arrived; until then a change comes before it.
    let isOver = false
    void next.then(() => {
      isOver = true
    })
    const ids: number[] = []
    while (!isOver) ids.push((await create('after')).id)
    const { value } = await next
    expect(ids).toContain(value?.id)
    await walk.return()
  })

  it('goes on at the last position after cuts, and loses no change', async () => {
    const { proxy, walk } = await walkByProxy({ retries: 0 })
    const made: string[] = []
    const taken: string[] = []
    for (let round = 0; round < 3; round += 1) {
      made.push(`created ${(await create('one')).id}`)
      taken.push(...(await take(walk, 1)))
      proxy.cut()
      made.push(`created ${(await create('two')).id}`, `created ${(await create('three')).id}`)
      taken.push(...(await take(walk, 2)))
    }
    const up = await proxy.down()
    const next = take(walk, 1)
    made.push(`created ${(await create('four')).id}`)
    await new Promise((resolve) => setTimeout(resolve, 700))
    await up()
    taken.push(...(await next))
    expect(taken).toEqual(made)
    await walk.return()
    await proxy.close()
  })

  it('notices a connection on which nothing arrives', async () => {
    const { proxy, walk } = await walkByProxy({ timeout: 400 })
    const first = await create('heard')
    expect(await take(walk, 1)).toEqual([`created ${first.id}`])
    proxy.silence(true)
    requests = []
    const next = take(walk, 1)
    const { id } = await create('not heard')
    await expect.poll(() => requests.length, { timeout: 10_000 }).toBeGreaterThan(0)
    proxy.silence(false)
    expect(await next).toEqual([`created ${id}`])
    await walk.return()
    await proxy.close()
  })

  it('is not given up by a caller that takes its time', async () => {
    const api = await ada()
    const { meta } = await api.changes.find()
    const walk = api.changes.follow({ since: meta.cursor }, { timeout: 200 })
    const { id } = await create('one')
    expect(await take(walk, 1)).toEqual([`created ${id}`])
    requests = []
    await new Promise((resolve) => setTimeout(resolve, 500))
    const next = await create('two')
    expect(await take(walk, 1)).toEqual([`created ${next.id}`])
    expect(requests).toEqual([])
    await walk.return()
  })

  it('ends the response when the loop is left', async () => {
    const proxy = await openProxy()
    const api = await ada(proxy.url)
    const { meta } = await api.changes.find()
    await create('Ada')
    for await (const { kind } of api.changes.follow({ since: meta.cursor })) if (kind === 'created') break
    // The connections of the other requests stay for the next ones.
    await expect.poll(() => proxy.streams()).toBe(0)
    await proxy.close()
  })

  it.each(['before', 'while it waits'])(
    'rejects with the reason of a signal that aborts %s',
    async (time) => {
      const api = await ada()
      const controller = new AbortController()
      if (time === 'before') controller.abort(new Error('stopped'))
      const next = api.changes.follow({}, { signal: controller.signal }).next()
      const ended = expect(next).rejects.toThrow('stopped')
      if (time !== 'before') await expect.poll(() => requests.length).toBeGreaterThan(0)
      controller.abort(new Error('stopped'))
      await ended
    },
  )

  it('waits while the server is busy, once it has answered', async () => {
    const api = await ada()
    const { meta } = await api.changes.find()
    const busy = { status: 503, headers: { 'retry-after': '0' } }
    const event = { status: 200, type: 'text/event-stream', body: `id: ${meta.cursor}\n\n` }
    answers = [event, ...Array(6).fill(busy)]
    const { id } = await create('late')
    const walk = api.changes.follow({ since: meta.cursor })
    expect(await take(walk, 1)).toEqual([`created ${id}`])
    expect(answers).toEqual([])
    await walk.return()
  })

  it('does not go on after half an event', async () => {
    const api = await ada()
    const { meta } = await api.changes.find()
    const { id } = await create('whole')
    answers = [{ status: 200, type: 'text/event-stream', body: ':\n\nid: 999\ndata: {"kind":"created"' }]
    const walk = api.changes.follow({ since: meta.cursor })
    expect(await take(walk, 1)).toEqual([`created ${id}`])
    await walk.return()
  })

  const error = (call: (options?: CallOptions) => Promise<unknown>): Promise<unknown> =>
    call().catch(({ name, status, message, code }) => [name, status, message, code])
  const both = async (api: ReturnType<typeof clientAt>, since?: string) => [
    await error(() => api.changes.find({ since })),
    await error(() => api.changes.follow({ since }).next()),
  ]
  const twice = (...parts: readonly unknown[]) => [parts, parts]

  it('is refused with the error of the server', async () => {
    expect(await both(clientAt(site.url))).toEqual(
      twice('ForbiddenError', 403, 'Forbidden', 'auth/forbidden'),
    )
    const bad = createClient<typeof import('./model.ts').contentTypes>({ url: site.url, token: 'stale' })
    expect(await both(bad)).toMatchObject(
      twice('UnauthorizedError', 401, expect.any(String), 'auth/bad-credentials'),
    )
    const api = await ada()
    expect(await both(api, 'x')).toMatchObject(
      twice('ValidationError', 400, expect.stringContaining('since'), 'changes/bad-cursor'),
    )
  })

  it('is gone where the changes since the cursor are no longer stored', async () => {
    const api = await ada()
    for (let n = 0; n < 25; n += 1) await create(`${n}`)
    await api.changes.find()
    expect(await both(api, '0')).toMatchObject(
      twice('GoneError', 410, expect.stringContaining('read all entries again'), 'changes/unknown-cursor'),
    )
  })

  it('is not there without the plugin, and behind a page of a proxy', async () => {
    const api = await ada()
    answers = Array(2).fill({
      status: 404,
      type: 'json',
      body: '{"data":null,"error":{"status":404,"name":"NotFoundError","message":"Not Found","details":{}}}',
    })
    expect(await both(api)).toEqual(
      twice(
        'NotFoundError',
        404,
        'The server has no feed of changes: it needs @octavo/plugin-changes',
        undefined,
      ),
    )
    answers = [{ status: 200 }]
    expect(await error(() => api.changes.follow().next())).toEqual([
      'HttpError',
      200,
      '200: the answer is no stream of events',
      undefined,
    ])
    answers = Array(3).fill({ status: 503, headers: { 'retry-after': '0' } })
    expect(await error(() => api.changes.follow().next())).toMatchObject([
      'HttpError',
      503,
      '503 Service Unavailable',
      undefined,
    ])
    expect(answers).toEqual([])
  })
})
