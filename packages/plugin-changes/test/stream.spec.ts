import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ streams: 1, heartbeat: 50, pageSize: 2 })
})
afterAll(() => site.close())

/** Opens a stream of changes. */
async function open(role: string, since?: string, headers: Record<string, string> = {}) {
  const gone = new AbortController()
  const query = since === undefined ? '' : `?since=${since}`
  const response = await fetch(`${site.url}/api/_changes${query}`, {
    signal: gone.signal,
    headers: { accept: 'text/event-stream', authorization: `Bearer ${site.tokens.get(role)}`, ...headers },
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
    if (stream.response.status !== 503) return stream
    stream.close()
  }
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
    const cursors = [...text.matchAll(/^id: (\d+)\ndata: /gm)].map(([, cursor]) => Number(cursor))
    expect(cursors).toEqual([1, 2, 3, 4].map((i) => Number(since) + i))
    expect(`${cursors.at(-1)}`).toBe(await site.cursor())
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
    const second = await open('all')
    expect(second.response.status).toBe(503)
    expect((await open('without')).response.status).toBe(403)
    stream.close()
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
