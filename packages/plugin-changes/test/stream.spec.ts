import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ streams: 1, heartbeat: 50, pageSize: 2 }, 500)
})
afterAll(() => site.close())

/** Opens a stream of changes. */
const open = (role: string, since?: string, headers: Record<string, string> = {}) =>
  openAt(site, role, since, headers)

async function openAt(at: Site, role: string, since?: string, headers: Record<string, string> = {}) {
  const gone = new AbortController()
  const query = since === undefined ? '' : `?since=${since}`
  const response = await fetch(`${at.url}/api/_changes${query}`, {
    signal: gone.signal,
    headers: { accept: 'text/event-stream', authorization: `Bearer ${at.tokens.get(role)}`, ...headers },
  })
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    response,
    /** Reads until the text matches. */
    until: async (pattern: RegExp): Promise<string> => {
      while (!pattern.test(text)) {
        const { value, done } = (await reader?.read()) ?? { done: true }
        if (done) throw new Error(`The stream ended: ${text}`)
        text += value
      }
      return text
    },
    close: () => gone.abort(),
  }
}

/** Waits until a stream is free again. */
async function opened(...args: Parameters<typeof open>) {
  for (;;) {
    const stream = await open(...args)
    if (![429, 503].includes(stream.response.status)) return stream
    stream.close()
  }
}

/** Holds the result of a statement on the feed, counted from here, until it is released. */
function holdStatement(at: Site, number: number) {
  const { store } = at.octavo
  const { rows } = store
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let statements = 0
  Object.assign(store, {
    rows: (...given: Parameters<typeof rows>) => {
      const found = rows(...given)
      if (++statements !== number) return found
      return {
        first: async (...options: Parameters<typeof found.first>) => {
          const row = await found.first(...options)
          held.resolve()
          await released.promise
          return row
        },
      }
    },
  })
  return { held: held.promise, release: released.resolve }
}

describe('A stream of changes', () => {
  it('sends the changes since the cursor, then each new one, with its cursor as id', async () => {
    const since = await site.cursor()
    const ids: number[] = []
    for (let i = 0; i < 3; i++) ids.push((await site.articles.create({ title: `${i}` })).id)
    const stream = await opened('all', since)
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
    for (const id of ids) await stream.until(new RegExp(`"created".*"id":${id},`))
    const { id } = await site.articles.create({ title: 'Later' })
    const text = await stream.until(new RegExp(`"created".*"id":${id},.*\\n\\n`))
    stream.close()
    const cursors = [...text.matchAll(/^id: (.+)\ndata: /gm)].map(([, cursor]) => cursor)
    expect(cursors.map((cursor) => Number.parseInt(String(cursor), 10))).toEqual(
      [1, 2, 3, 4].map((i) => Number.parseInt(since, 10) + i),
    )
    expect(cursors.at(-1)).toBe(await site.cursor())
  })

  it('continues after Last-Event-ID', async () => {
    const since = await site.cursor()
    await site.articles.create({ title: 'Seen' })
    const seen = await site.cursor()
    const { id } = await site.articles.create({ title: 'Unseen' })
    const stream = await opened('all', since, { 'last-event-id': seen })
    const text = await stream.until(/data: .*\n\n/)
    expect(text.match(/"id":\d+/g)).toEqual([`"id":${id}`])
    stream.close()
  })

  it('has only changes that the caller may read, and sends comments between them', async () => {
    const stream = await opened('open', await site.cursor())
    await site.memos.create({ text: 'closed', open: false })
    const open = await site.memos.create({ text: 'open', open: true })
    const text = await stream.until(/data: .*\n\n/)
    expect(text.match(/"id":\d+/g)).toEqual([`"id":${open.id}`])
    await stream.until(/\n:\n\n/)
    stream.close()
  })

  it('is refused with 503 when all streams are in use, and with 403 without the right', async () => {
    const stream = await opened('all')
    const second = await open('open')
    expect(second.response.status).toBe(503)
    expect((await open('without')).response.status).toBe(403)
    stream.close()
  })
})

describe('A stream that is opened while something changes', () => {
  it('has the change, also when its first read was too early for it', async () => {
    const late = await openSite({ heartbeat: 60_000 })
    const since = await late.cursor()
    const witness = await openAt(late, 'all', since)
    await witness.until(/\n\n/)
    // The last of the three statements of the first read.
    const { held, release } = holdStatement(late, 3)
    const opening = openAt(late, 'all', since)
    await held
    const { id } = await late.articles.create({ title: 'Meanwhile' })
    await witness.until(new RegExp(`"created".*"id":${id},`))
    release()
    const stream = await opening
    await stream.until(new RegExp(`"created".*"id":${id},`))
    for (const one of [witness, stream]) one.close()
    await late.close()
  })
})

describe('A client that leaves before its stream begins', () => {
  it('leaves its place to others', async () => {
    const left = await openSite({ streams: 1, heartbeat: 60_000 }, 500)
    const since = await left.cursor()
    const { held, release } = holdStatement(left, 3)
    const gone = new AbortController()
    const leaving = fetch(`${left.url}/api/_changes?since=${since}`, {
      signal: gone.signal,
      headers: { accept: 'text/event-stream', authorization: `Bearer ${left.tokens.get('all')}` },
    })
    await held
    gone.abort()
    await expect(leaving).rejects.toThrow('abort')
    // An answered request shows that the server has read what arrived before it.
    expect(await left.cursor()).toBe(since)
    release()
    await expect
      .poll(async () => {
        const stream = await openAt(left, 'open')
        stream.close()
        return stream.response.status
      })
      .toBe(200)
    await left.close()
  })
})

describe('S-38: The streams of a process', () => {
  it('do not join a read that began before the change that woke them', async () => {
    const shared = await openSite({ heartbeat: 60_000, pageSize: 2 })
    const since = await shared.cursor()
    for (const title of ['One', 'Two']) await shared.articles.create({ title })
    const waiting = await openAt(shared, 'all', await shared.cursor())
    await waiting.until(/\n\n/)
    // The last statement of the second read of the stream that is behind: it finds nothing after the full page of its first.
    const { held, release } = holdStatement(shared, 6)
    const behind = await openAt(shared, 'all', since)
    await held
    const { id } = await shared.articles.create({ title: 'Meanwhile' })
    await waiting.until(new RegExp(`"created".*"id":${id},`))
    release()
    await behind.until(new RegExp(`"created".*"id":${id},`))
    for (const one of [waiting, behind]) one.close()
    await shared.close()
  })

  it('are shared among callers: the one with the most gives a place to another, and waits with a 429', async () => {
    const shared = await openSite({ streams: 4, heartbeat: 60_000 })
    const statusOf = async (role: string) => (await openAt(shared, role)).response.status
    const first = await openAt(shared, 'all', await shared.cursor())
    expect([await statusOf('all'), await statusOf('all')]).toEqual([200, 200])
    const refused = await openAt(shared, 'all')
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '1'])
    expect([await statusOf('open'), await statusOf('open')]).toEqual([200, 200])
    await expect(first.until(/never/)).rejects.toThrow('The stream ended')
    expect([await statusOf('open'), await statusOf('all')]).toEqual([429, 429])
    expect(await statusOf('articles')).toBe(200)
    await shared.close()
  })

  it('read the feed once for each change, and the entries once for all callers with the same rights', async () => {
    const shared = await openSite({ heartbeat: 60_000 })
    const since = await shared.cursor()
    const roles = ['all', 'all', 'all', 'articles', 'articles', 'articles']
    const streams = await Promise.all(roles.map((role) => openAt(shared, role, since)))
    for (const stream of streams) await stream.until(/\n\n/)
    const { store } = shared.octavo
    const { execute, rows } = store
    let [feed, entries] = [0, 0]
    Object.assign(store, {
      rows: (...given: Parameters<typeof rows>) => {
        feed += 1
        return rows(...given)
      },
      execute: (...given: Parameters<typeof execute>) => {
        if (!given[0].text.startsWith('explain')) entries += 1
        return execute(...given)
      },
    })
    const { id } = await shared.articles.create({ title: 'For all' })
    for (const stream of streams) await stream.until(new RegExp(`"created".*"id":${id},`))
    // The feed takes three statements.
    expect([feed, entries]).toEqual([3, 2])
    // It ends the streams.
    await shared.close()
  })
})

describe('A server that closes', () => {
  it('ends its streams and does not cut them off', async () => {
    const closing = await openSite({ heartbeat: 60_000 })
    try {
      const token = closing.tokens.get('all')
      const response = await fetch(`${closing.url}/api/_changes`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
      })
      expect(response.status).toBe(200)
      const [text] = await Promise.all([response.text(), closing.close()])
      expect(text).toMatch(/^id: \d+\n\n$|^:\n\n$/)
    } catch (error) {
      await closing.close()
      throw error
    }
  })
})
