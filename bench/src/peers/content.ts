/** The content of all servers, which is created over HTTP. */
import type { Asked, Content } from './peer.ts'

const words = 'river lantern harbour copper market orchard signal winter engine meadow salt theatre'.split(
  ' ',
)
const text = (seed: number, length: number): string =>
  Array.from({ length }, (_, i) => words[(seed * 7 + i * i + i) % words.length]).join(' ')

/** The content of all peers, which is equal in every run. */
export function contentOf(articles: number): Content {
  const authors = Math.max(10, Math.round(articles / 50))
  return {
    authors: Array.from({ length: authors }, (_, i) => `Author ${i + 1}`),
    categories: Array.from({ length: 20 }, (_, i) => `Category ${i + 1}`),
    articles: Array.from({ length: articles }, (_, i) => ({
      title: `${text(i, 3)} ${i + 1}`,
      body: text(i, 60),
      summary: text(i * 3, 12),
      // Distinct, so that a sort by them has one order.
      views: ((i + 1) * 7919) % 1_000_003,
      author: i % authors,
      categories: [...new Set([i % 20, (i * 3) % 20, (i * 7 + 1) % 20])],
    })),
  }
}

/**
 * Creates authors, categories and articles, one after the other.
 *
 * @param create Returns the id by which relations and paths name the new entry
 * @param link The form of a category in the body of an article. Default: its id
 * @returns The ids of the articles
 */
export async function createContent<Id>(
  { authors, categories, articles }: Content,
  create: (path: string, entry: object) => Promise<Id>,
  link: (id: Id) => unknown = (id) => id,
): Promise<readonly Id[]> {
  const inTurn = async (path: string, entries: readonly object[]) => {
    const ids: Id[] = []
    for (const entry of entries) ids.push(await create(path, entry))
    return ids
  }
  const named = (name: string) => ({ name })
  const authorIds = await inTurn('authors', authors.map(named))
  const links = (await inTurn('categories', categories.map(named))).map(link)
  return inTurn(
    'articles',
    articles.map(({ author, categories: some, ...rest }) => ({
      ...rest,
      author: authorIds[author],
      categories: some.map((i) => links[i]),
    })),
  )
}

/** Fifty of the ids, spread over all. */
export const spread = <T>(ids: readonly T[]): readonly T[] =>
  Array.from({ length: Math.min(50, ids.length) }, (_, i) => ids[Math.floor((i * ids.length) / 50)] as T)

/** Several, since the sessions of a user are stored with the user by some servers. */
export const users = Array.from({ length: 20 }, (_, i) => ({
  username: `reader-${i + 1}`,
  email: `reader-${i + 1}@example.org`,
  password: 'Password-of-the-comparison-1',
}))
export type User = (typeof users)[number]

/** The question that logs users in, in turn. */
export function login(path: string, bodyOf: (user: User) => object, read: Asked['read']): Asked {
  const bodies = users.map((user) => JSON.stringify(bodyOf(user)))
  let count = 0
  return { method: 'POST', paths: [path], body: () => bodies[count++ % bodies.length] ?? '', read }
}
