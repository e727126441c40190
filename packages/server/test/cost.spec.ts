/** What one request may cost; the numbers are those of the project's list of attacks. */
import { testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const ask = (query: string) => site.api.get(`/api/articles?${query}`)
/** `author.articles` so many times over. */
const round = (times: number): string => Array.from({ length: times }, () => 'author.articles').join('.')
const brackets = (path: string): string => `[${path.replaceAll('.', '][')}]`

describe('S-29: the relations that a path goes through are bounded', () => {
  const paths = [
    ['a sort', (path: string) => `sort=${path}.title`, 'sort'],
    ['a filter', (path: string) => `filters${brackets(path)}[title][$ne]=x`, 'filters'],
    [
      'a filter below $not and $or',
      (path: string) => `filters[$not][$or][0]${brackets(path)}[title]=x`,
      'filters',
    ],
    [
      'the sort of a populated list',
      (path: string) => `populate[author][populate][articles][sort]=${path}.title`,
      'populate',
    ],
    [
      'the filter of a populated list',
      (path: string) => `populate[author][populate][articles][filters]${brackets(path)}[title][$ne]=x`,
      'populate',
    ],
  ] as const

  it.each(paths)('%s through six relations with many entries is answered', async (_, query) => {
    const { status } = await ask(query(round(6)))
    expect(status).toBe(200)
  })

  it.each(paths)('%s through seven is refused, with its place', async (_, query, place) => {
    const { status, body } = await ask(query(round(7)))
    expect(status).toBe(400)
    expect(body.error.name).toBe('ValidationError')
    expect(body.error.message).toMatch(
      new RegExp(`^${place}.*: a path may go through at most 6 relations and components with many entries.$`),
    )
  })

  it('a request may go through 500 in all', async () => {
    const terms = (count: number) =>
      Array.from({ length: count }, (_, i) => `filters[$or][${i}][author][name]=a`).join('&')
    expect((await ask(terms(500))).status).toBe(200)
    const { status, body } = await ask(terms(501))
    expect([status, body.error.message]).toEqual([
      400,
      'filters and sort go through more than 500 relations and components in all.',
    ])
  })
})

describe.runIf(testEngine() === 'postgresql')('S-29: a client that leaves', () => {
  it('leaves no statement behind', async () => {
    const { store } = site.server.octavo
    await store.transaction(async (tx) => {
      await tx.query('lock table articles in access exclusive mode')
      const waiting = async (): Promise<number> => {
        const [row] = await tx.query(
          `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        // The activity is otherwise the same throughout a transaction.
        await tx.query('select pg_stat_clear_snapshot()')
        return Number(row?.[0])
      }
      const until = async (count: number): Promise<void> => {
        while ((await waiting()) !== count) await new Promise((resolve) => setTimeout(resolve, 10))
      }
      const clients = Array.from({ length: 3 }, () => {
        const client = new AbortController()
        const answer = fetch(`${site.url}/api/articles?sort=views`, { signal: client.signal })
        return { client, answer: expect(answer).rejects.toThrow(/abort/) }
      })
      await until(3)
      for (const { client } of clients) client.abort()
      await Promise.all(clients.map(({ answer }) => answer))
      await until(0)
    })
    expect((await ask('sort=views')).status).toBe(200)
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([])
  })
})
