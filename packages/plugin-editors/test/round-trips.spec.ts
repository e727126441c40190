/** The messages of an editor's write to PostgreSQL. */
import { testEngine } from '@octavo/testing'
import { countMessages } from '@octavo/testing/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { article, type DeskSite, openDesk, type Person } from './desk.ts'

const articles = 'content/articles'

let site: DeskSite
beforeAll(async () => {
  site = await openDesk()
})
afterAll(() => site.close())

async function draftOf(person: Person): Promise<string> {
  const { body } = await person.post(articles, { data: { title: 'Emma' } })
  return `${articles}/${body.data.id}`
}

// The embedded engine has no messages.
describe.runIf(testEngine() === 'postgresql')('A publication by an editor', () => {
  it.each([
    ['by its action', (person: Person, path: string) => person.post(`${path}/actions/publish`)],
    [
      'by its time',
      (person: Person, path: string) =>
        person.put(path, { data: { publishedAt: '2026-01-01T00:00:00.000Z' } }),
    ],
    [
      'with the entry',
      (person: Person) =>
        person.post(articles, { data: { title: 'Emma', publishedAt: '2026-01-01T00:00:00.000Z' } }),
    ],
  ])(
    'is one message after that of the session, %s, with the right to publish each entry',
    async (_, publish) => {
      const ada = await site.person('ada@example.org')
      const path = await draftOf(ada)
      const { messages, status } = await countMessages(() => publish(ada, path))
      expect([messages, status < 300]).toEqual([2, true])
    },
  )

  it('looks at the entry with a right that has a condition', async () => {
    const rights = (['create', 'read', 'update'] as const).map((action) => ({ action, type: article }))
    const own = { action: 'publish', type: article, where: { createdBy: '$editor.id' } } as const
    const bob = await site.hire('bob', [...rights, own])
    const ada = await site.person('ada@example.org')
    const publishedAt = '2026-01-01T00:00:00.000Z'
    expect((await bob.put(await draftOf(bob), { data: { publishedAt } })).status).toBe(200)
    expect((await bob.put(await draftOf(ada), { data: { publishedAt } })).status).toBe(403)
  })
})
