import { testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ pageSize: 7 })
})
afterAll(() => site.close())

/** All pages since a cursor. */
async function pagesSince(role: string, from: string) {
  const all: { readonly kind: string; readonly id: number }[] = []
  let cursor = from
  for (;;) {
    const { body } = await site.get(role, cursor)
    all.push(...body.data)
    cursor = body.meta.cursor
    if (!body.meta.hasMore) return { all, cursor }
  }
}

describe('GET /api/_changes', () => {
  it('without since gives the present cursor and no changes', async () => {
    await site.articles.create({ title: 'Before' })
    const { status, body, headers } = await site.get('all')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [],
      meta: { cursor: expect.stringMatching(/^\d+(-\d+)?$/), hasMore: false },
    })
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(await site.since('all', body.meta.cursor)).toEqual([])
  })

  it('gives the changes since a cursor, in order and in pages', async () => {
    const cursor = await site.cursor()
    const { id } = await site.articles.create({ title: 'One' })
    await site.articles.update(id, { title: 'Two' })
    const ids: number[] = []
    for (let i = 0; i < 10; i++) ids.push((await site.articles.create({ title: `${i}` })).id)
    const { all } = await pagesSince('all', cursor)
    expect(all[0]).toEqual({
      kind: 'created',
      type: 'api::article.article',
      id,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(all.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      `created ${id}`,
      `updated ${id}`,
      ...ids.map((id) => `created ${id}`),
    ])
  })

  it('has no change of a transaction that was rolled back', async () => {
    const cursor = await site.cursor()
    const { octavo, state } = site
    await expect(
      octavo.transaction(async (tx) => {
        await tx.entries('article').create({ title: 'Undone' })
        throw new Error('undo')
      }, state),
    ).rejects.toThrow('undo')
    expect(await site.since('all', cursor)).toEqual([])
  })

  it.each(['abc', '-1', '1-', '1-x', '1-2-3', '1.5', '9'.repeat(30), ''])(
    'refuses the cursor "%s"',
    async (since) => {
      const { status, body } = await site.get('all', since)
      expect([status, body.error.details.code]).toEqual([400, 'changes/bad-cursor'])
    },
  )

  it.each(['since[]', 'since[0]', 'since%5B%5D', 'since[a]'])(
    'refuses a cursor that is named %s',
    async (name) => {
      const { status, body } = await site.api.get(`/api/_changes?${name}=1`, {
        token: site.tokens.get('all'),
      })
      expect([status, body.error?.details.code]).toEqual([400, 'changes/bad-cursor'])
    },
  )

  it.each(['999999999', '999999999-1', '0-1'])(
    'refuses the cursor %s of another database with 410',
    async (since) => {
      const { status, body } = await site.get('all', since)
      expect([status, body.error.details.code]).toEqual([410, 'changes/unknown-cursor'])
    },
  )

  it('refuses the cursor of a change that a restore has undone, also when others have its number', async () => {
    const kept = await site.cursor()
    for (const text of ['a', 'b']) await site.memos.create({ text })
    const lost = await site.cursor()
    const { store } = site.octavo
    await store.query('delete from octavo_changes where id > $1', [Number.parseInt(kept, 10)])
    await store.query(
      `select setval(pg_get_serial_sequence('octavo_changes', 'id'), (select max(id) from octavo_changes))`,
    )
    const others = ['c', 'd', 'e'].map((text) => site.memos.create({ text }))
    const ids = (await Promise.all(others)).map(({ id }) => id)
    expect(await site.since('all', kept)).toEqual(ids.sort((a, b) => a - b).map((id) => `created memo ${id}`))
    const { status, body } = await site.get('all', lost)
    expect([status, body.error?.details.code]).toEqual([410, 'changes/unknown-cursor'])
  })

  it('goes on from a cursor of a version that gave none a mark', async () => {
    await site.memos.create({ text: 'before' })
    const id = Number.parseInt(await site.cursor(), 10)
    await site.octavo.store.query('update octavo_changes set mark = null where id = $1', [id])
    expect(await site.cursor()).toBe(`${id}`)
    const { id: later } = await site.memos.create({ text: 'after' })
    expect(await site.since('all', `${id}`)).toEqual([`created memo ${later}`])
  })
})

describe('The rights of the caller', () => {
  it('leave out entries that find does not return', async () => {
    const cursor = await site.cursor()
    const open = await site.memos.create({ text: 'a', open: true })
    const closed = await site.memos.create({ text: 'b', open: false })
    expect(await site.since('all', cursor)).toEqual([`created memo ${open.id}`, `created memo ${closed.id}`])
    expect(await site.since('open', cursor)).toEqual([`created memo ${open.id}`])
    expect(await site.since('articles', cursor)).toEqual([])
  })

  it('show a deletion only to callers who can read the whole content-type', async () => {
    const memo = await site.memos.create({ text: 'a', open: true })
    const article = await site.articles.create({ title: 'a' })
    const cursor = await site.cursor()
    await site.memos.delete(memo.id)
    await site.articles.delete(article.id)
    const deletions = [`deleted memo ${memo.id}`, `deleted article ${article.id}`]
    expect(await site.since('all', cursor)).toEqual(deletions)
    expect(await site.since('open', cursor)).toEqual([deletions[1]])
    expect(await site.since('articles', cursor)).toEqual([deletions[1]])
  })

  it('include the right to the feed itself', async () => {
    expect((await site.get('without')).status).toBe(403)
    expect((await site.api.get('/api/_changes')).status).toBe(403)
  })
})

describe('Drafts', () => {
  it('appear when they are published, and disappear with unpublished', async () => {
    const cursor = await site.cursor()
    const { id } = await site.articles.create({ title: 'Draft', publishedAt: null })
    expect(await site.since('all', cursor)).toEqual([])
    await site.articles.update(id, { publishedAt: '2024-01-01T00:00:00.000Z' })
    const [last] = (await site.since('all', cursor)).slice(-1)
    expect(last).toBe(`published article ${id}`)
    await site.articles.update(id, { publishedAt: null })
    expect(await site.since('all', cursor)).toEqual([`unpublished article ${id}`])
  })

  it('are published at the time that an update or a create names, for those who follow the feed', async () => {
    const publishedAt = '2999-01-01T00:00:00.000Z'
    const { id } = await site.articles.create({ title: 'Draft', publishedAt: null })
    await site.articles.update(id, { publishedAt })
    const made = await site.articles.create({ title: 'New', publishedAt })
    const cursor = await site.cursor()
    expect(await site.since('all', cursor)).toEqual([])
    // As if the time had come.
    for (const set of ['articles set published_at', 'octavo_changes_inbox set at'])
      await site.octavo.store.query(`update ${set} = now() where ${set.split(' ').at(-1)} > now()`)
    const published = [id, made.id].map((one) => `published article ${one}`)
    expect(await site.since('all', cursor)).toEqual(published)
  })

  it('are published within a second after their creation, for those who have passed it', async () => {
    const before = await site.cursor()
    const publishedAt = new Date(site.octavo.store.now().getTime() + 900).toISOString()
    const { id } = await site.articles.create({ title: 'Soon', publishedAt })
    const cursor = await site.cursor()
    const isHidden = (await site.since('all', before)).length === 0
    // On a slow machine the time may have come before the creation.
    if (isHidden) await expect.poll(() => site.since('all', cursor)).toEqual([`published article ${id}`])
  })

  it('are published at no time that was moved, cleared or not reached', async () => {
    const waiting = async () =>
      (
        await site.octavo.store.query("select to_char(at, 'YYYY') from octavo_changes_inbox where at > now()")
      ).flat()
    const later = '2999-01-01T00:00:00.000Z'
    const { id } = await site.articles.create({ title: 'Never', publishedAt: later })
    expect(await waiting()).toEqual(['2999'])
    await site.articles.update(id, { publishedAt: '2998-01-01T00:00:00.000Z' })
    await site.articles.update(id, { title: 'Still' })
    expect(await waiting()).toEqual(['2998'])
    await site.articles.update(id, { publishedAt: null })
    expect(await waiting()).toEqual([])
    await site.articles.update(id, { publishedAt: later })
    expect(await waiting()).toEqual(['2999'])
    await site.articles.delete(id)
    expect(await waiting()).toEqual([])
  })

  it('are published when a later time is brought forward', async () => {
    const { id } = await site.articles.create({ title: 'Sooner', publishedAt: '2999-01-01T00:00:00.000Z' })
    const cursor = await site.cursor()
    await site.articles.update(id, { publishedAt: '2024-01-01T00:00:00.000Z' })
    expect(await site.since('all', cursor)).toEqual([`published article ${id}`])
  })

  it.each(['2999-01-01T00:00:00.000Z', '2999-01-01'])(
    'are unpublished when their publication is put off to %s',
    async (publishedAt) => {
      const { id } = await site.articles.create({ title: 'Too early' })
      const cursor = await site.cursor()
      await site.articles.update(id, { publishedAt })
      expect(await site.since('all', cursor)).toEqual([`unpublished article ${id}`])
      // It was hidden already.
      await site.articles.update(id, { publishedAt: '2998-01-01T00:00:00.000Z' })
      expect(await site.since('all', cursor)).toEqual([`unpublished article ${id}`])
    },
  )
})

it('Entries of every locale appear', async () => {
  const cursor = await site.cursor()
  const french = await site.articles.create({ title: 'Français', locale: 'fr' })
  expect(await site.since('all', cursor)).toEqual([`created article ${french.id}`])
})

describe('The order', () => {
  // The embedded engine has one connection, so its transactions never overlap.
  it.runIf(testEngine() === 'postgresql')(
    'is that of the commits: a transaction that commits late is not passed over',
    async () => {
      const cursor = await site.cursor()
      const { octavo, state } = site
      const written = Promise.withResolvers<number>()
      const release = Promise.withResolvers<void>()
      const slow = octavo.transaction(async (tx) => {
        written.resolve((await tx.entries('memo').create({ text: 'slow' })).id)
        await release.promise
      }, state)
      const late = await written.promise
      const { id } = await site.memos.create({ text: 'fast' })
      const first = await pagesSince('all', cursor)
      expect(first.all.map(({ id }) => id)).toEqual([id])
      release.resolve()
      await slow
      const second = await pagesSince('all', first.cursor)
      expect(second.all.map(({ id }) => id)).toEqual([late])
    },
  )

  it('has each change of concurrent writers once, and those of an entry in its own order', async () => {
    const start = await site.cursor()
    const { octavo, state } = site
    const gone: number[] = []
    const stays: number[] = []
    let isWriting = true
    const write = async (): Promise<void> => {
      for (let i = 0; i < 6; i++) {
        const { id } = await site.memos.create({ text: 'c' })
        await octavo.transaction(async (tx) => {
          await tx.entries('memo').update(id, { text: 'u' })
          stays.push((await tx.entries('memo').create({ text: 'second' })).id)
        }, state)
        await site.memos.delete(id)
        gone.push(id)
      }
    }
    const read = async (): Promise<readonly string[]> => {
      const seen: string[] = []
      let cursor = start
      for (;;) {
        // Read before the pages, so that the last round starts after the last commit.
        const isLast = !isWriting
        const { changes, position } = await rawSince(cursor)
        seen.push(...changes)
        cursor = position
        if (isLast) return seen
      }
    }
    const readers = Promise.all([read(), read()])
    await Promise.all(Array.from({ length: 6 }, write))
    isWriting = false
    // Whether a reader gets the creation of an entry that is deleted soon depends on when it reads; the rest does not.
    const deleted = new Set(gone.map((id) => `${id} deleted`))
    const lasting = stays.map((id) => `${id} created`)
    const all = (await readers).map((seen) => {
      expect(new Set(seen).size).toBe(seen.length)
      for (const id of gone) {
        const kinds = seen
          .filter((change) => change.startsWith(`${id} `))
          .map((change) => change.split(' ')[1])
        expect(kinds.at(-1)).toBe('deleted')
        expect(kinds).toEqual(['created', 'updated', 'deleted'].filter((kind) => kinds.includes(kind)))
      }
      return seen.filter((change) => deleted.has(change) || lasting.includes(change))
    })
    expect([...(all[0] ?? [])].sort()).toEqual([...deleted, ...lasting].sort())
    expect(all[0]).toEqual(all[1])
  })
})

/** The changes since a cursor, over all pages, for two readers at the same time. */
async function rawSince(from: string) {
  const { all, cursor } = await pagesSince('all', from)
  return { changes: all.map(({ kind, id }) => `${id} ${kind}`), position: cursor }
}
