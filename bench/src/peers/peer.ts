/** Another content server, how to install and fill it, and how to ask it the questions. */

/** An entry of an answer, in the same form for every server. */
export interface Entry {
  readonly title: string
  readonly views: number
  readonly author?: string
  /** In alphabetical order. */
  readonly categories?: readonly string[]
}

export interface Answer {
  readonly entries: readonly Entry[]
  /** Of a list. */
  readonly total?: number
  /** All values of a nested answer, which are the same for every server. */
  readonly nested?: unknown
}

export const questions = [
  'list of 25 with total',
  'one by id',
  'list with author and categories',
  'filter by author, sorted',
  'create',
  'GraphQL: three relations deep',
] as const
export type Question = (typeof questions)[number]

/** The requests of a server. A question of another protocol is left out. */
export type Questions = Readonly<Partial<Record<Question, Asked>>>

export interface Asked {
  readonly method: 'GET' | 'POST'
  /** Sent in turn. */
  readonly paths: readonly string[]
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Reads an answer. @param body Parsed JSON */
  readonly read: (body: unknown) => Answer
}

/** A running server. */
export interface Api {
  /** @throws Error for an answer that is not 2xx */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown>
}

export interface Peer {
  readonly key: string
  /** With its version. */
  readonly name: string
  /** A sentence of the report on how this server runs. */
  readonly note?: string
  /** `20`: Node.js 20 from the registry. Default: the Node.js of this process. */
  readonly node?: '20'
  /** The package.json that is installed. Without one nothing is installed. */
  readonly manifest?: Readonly<Record<string, unknown>>
  /** Options of `npm install`. Default none. */
  readonly npm?: readonly string[]
  /** Files of the project, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Commands that run once before the start: arguments of Node.js. */
  readonly prepare?: readonly (readonly string[])[]
  /** Arguments of Node.js. */
  readonly start: readonly string[]
  readonly env: (database: URL, port: number) => Readonly<Record<string, string>>
  /** Answers when the server is ready. */
  readonly ready: string
  /** Creates the content over HTTP, and returns the questions with its ids. */
  readonly fill: (api: Api, content: Content) => Promise<Questions>
}

export interface Content {
  readonly authors: readonly string[]
  readonly categories: readonly string[]
  readonly articles: readonly Article[]
}

export interface Article {
  readonly title: string
  readonly body: string
  readonly summary: string
  readonly views: number
  /** Index in `authors`. */
  readonly author: number
  /** Indexes in `categories`. */
  readonly categories: readonly number[]
}

/** The author of the filter. */
export const filteredAuthor = 3

export const newArticle = { title: 'A new article', body: 'Some text', summary: 'Text', views: 7 }

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
