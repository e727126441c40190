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
  /** An uploaded file, as the server serves it. */
  readonly file?: ServedFile
  /** The email address of the user that a login is for. */
  readonly user?: string
}

/** A file as a server returns it. */
export interface ServedFile {
  /** Its media type without parameters. */
  readonly type: string
  /** The content of a text. */
  readonly text?: string
  /** Pixels of a picture. */
  readonly width?: number
  readonly height?: number
}

export const questions = [
  'list of 25 with total',
  'one by id',
  'list with author and categories',
  'filter by author, sorted',
  'create',
  'update',
  'upload a text',
  'upload a picture',
  'log in',
  'GraphQL: three relations deep',
] as const
export type Question = (typeof questions)[number]

/** The requests of a server. A question of another protocol is left out. */
export type Questions = Readonly<Partial<Record<Question, Asked>>>

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Sent in turn. */
  readonly paths: readonly string[]
  /** A function makes the body of each request. */
  readonly body?: Body | (() => Body)
  /** With a body, `content-type` is `application/json` by default. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Reads an answer.
   * @param body Parsed JSON
   * @param api For what the answer refers to: an uploaded file, or the user of a token.
   */
  readonly read: (body: unknown, api: Api) => Answer | Promise<Answer>
}

export type Body = string | Buffer

/** A running server. */
export interface Api {
  /** @throws Error for an answer that is not 2xx */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown>
  /** @throws Error for an answer that is not 2xx */
  file(path: string): Promise<ServedFile>
}

export interface Peer {
  readonly key: string
  /** With its version. */
  readonly name: string
  /** A sentence of the report on how this server runs. */
  readonly note?: string
  /** The work that explains some of the figures. */
  readonly work: Work
  /** The folder of its project that has the uploaded files. */
  readonly uploads: string
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

/** Rows of the table. */
export interface Work {
  /** The hash of passwords with its cost. */
  readonly hash: string
  /** The pictures that are made of an uploaded one before the answer. */
  readonly pictures: string
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

/** The new values of an article. */
export const changedArticle = { title: 'A changed article', views: 8 }

export const newArticle = { title: 'A new article', body: 'Some text', summary: 'Text', views: 7 }
