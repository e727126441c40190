/** Requests and their results, the same over HTTP and for programs. */
import type { CancelSignal, ConnectionFigures } from '@octavo/database'
import type { WriteAction } from './content-type/content-actions.ts'
import type { ContentType } from './content-type/model.ts'
import type { EntryInput } from './content-type/types/entry-input.ts'
import type { AnswerLayout } from './plan/layout.ts'
import type { RequestState } from './plugin/request-state.ts'

export interface ReadRequest {
  readonly type: ContentType
  /** The action, e.g. `find` or `findOne`; part of the statement cache's key. */
  readonly action: string
  /**
   * `list`: a page; `one`: the entry with `id`, or the first; `single`: the first, or the list of all entries where a
   * plugin requests it (`query:single`); `count`: a number.
   */
  readonly kind: 'list' | 'one' | 'single' | 'count'
  /** For `one`; absent for a single type. */
  readonly id?: number
  /** The query string as given, without `?`. */
  readonly query: string
  /**
   * For a query that a plugin wrote, which may name parameters of plugins that are absent: names that nothing reads are ignored,
   * with the option `strict` too. Default: those of a client are refused or logged.
   */
  readonly lenient?: true
  readonly state: RequestState
  /** The maximum page size instead of `rest.maxLimit`, for routes with other bounds. */
  readonly maxLimit?: number
  /** Allows a replica that has replayed the position `after`, if given; see `Store.position`. */
  readonly replica?: { readonly after: string | undefined }
  /** Aborted when the client has disconnected: the statement is then cancelled, where the engine supports it. */
  readonly signal?: CancelSignal
  /**
   * Called for a large answer, with its bytes, before PostgreSQL sends it: the error that it throws is the result of the
   * read. Default: none.
   */
  readonly requireRoom?: (bytes: number) => void
  /** Whether to return the tags of the response, which requires parsing it. Default false. Without a layout only. */
  readonly tags?: boolean
  /**
   * The form of the answer, written by the statement; part of the statement cache's key. Entries with values that functions compute
   * cannot have one. Default: the form of REST.
   */
  readonly layout?: AnswerLayout
}

export interface WriteRequest {
  readonly type: ContentType
  readonly action: WriteAction
  /** The entry; absent for a create, and for a single type. */
  readonly id?: number
  /** For a create or update. */
  readonly input?: EntryInput
  /** The query string, without `?`: `fields` and `populate` apply to the response. */
  readonly query: string
  readonly state: RequestState
  /**
   * Called for an update or delete, when the entry is locked, with its JSON as the caller would read it with this
   * query; `undefined`: the caller may not read it, or there is none. An error that it throws undoes the write.
   */
  readonly precondition?: (current: string | undefined) => void
  /** For a create: the answer is stored with the entry. Default: a repeated create creates another entry. */
  readonly repeatable?: Repeatable | undefined
}

/** A write that its client may repeat: within a day, the same key gives the first answer. */
export interface Repeatable {
  /** Unique among all callers. */
  readonly key: string
  /** A hash of the request: another request with the key is refused. */
  readonly content: string
}

/** The text of work that runs once for a key. */
export interface OnceResult {
  readonly answer: string
  /** Whether an earlier call with the key ran the work. */
  readonly isRepeated: boolean
}

/** Many writes of one content-type in one transaction. */
export interface BulkRequest {
  readonly type: ContentType
  readonly create?: readonly EntryInput[]
  readonly update?: readonly (EntryInput & { readonly id: number })[]
  readonly delete?: readonly number[]
  /** Timeout in milliseconds, retries included; checked before each statement. Default: none. */
  readonly time?: number
  readonly state: RequestState
  /** The result is stored with the writes. Default: a repeated request writes again. */
  readonly repeatable?: Repeatable | undefined
}

/** Ids, in the order of the request. */
export interface BulkResult {
  readonly created: readonly number[]
  readonly updated: readonly number[]
  readonly deleted: readonly number[]
}

export type Pagination = PageTotal &
  (
    | { readonly page: number; readonly pageSize: number; readonly pageCount?: number }
    | { readonly start: number; readonly limit: number }
    | {
        readonly pageSize: number
        /** The cursors for `pagination[before]` and `pagination[after]`; null where there are no further entries. */
        readonly cursors: { readonly before: string | null; readonly after: string | null }
      }
  )

interface PageTotal {
  /** When requested. */
  readonly total?: number
  /** Whether the total is PostgreSQL's estimate. */
  readonly estimated?: true
}

export interface ReadAnswer {
  /** JSON text of `data` as PostgreSQL built it, for the response. `undefined`: no such entry. */
  readonly data: string | undefined
  /** For a list. */
  readonly pagination?: Pagination
  /** The tags of the response, when the request has `tags`. */
  readonly tags?: AnswerTags
  /** Whether it is the answer of an earlier write with the same key, and nothing was written. */
  readonly isRepeated?: true
}

/** Tags of an answer; see `tagsOfWrite`. */
export interface AnswerTags {
  /** `article/7`: the entries that it shows, at any depth. */
  readonly entries: readonly string[]
  /** `article:list`, `article:values`. */
  readonly types: readonly string[]
}

/** The cache of statements, since the process began or a content-type was added. */
export interface StatementFigures {
  /** Questions whose statement was there, and those that had to be parsed, resolved and compiled. */
  readonly hits: number
  readonly misses: number
  /** Statements in it now. */
  readonly cached: number
}

export interface Figures {
  readonly statements: StatementFigures
  /** To a PostgreSQL server; `undefined` for the embedded one. */
  readonly connections: ConnectionFigures | undefined
}
