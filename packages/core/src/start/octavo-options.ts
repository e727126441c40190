import type { Logger } from '@octavo/database'
import type { ComponentList, ContentTypeList } from '../entries/model.ts'
import type { HookTable } from '../hooks/hook-row.ts'
import type { Plugin } from '../host/define.ts'
import type { Limits } from '../limits.ts'
import type { Trace } from '../trace.ts'

/**
 * The options that programs, servers and the command line have in common. All of them extend it: an editor shows no text for an option of a type
 * that is derived by `Omit`.
 */
export interface CommonOctavoOptions<
  T extends ContentTypeList = ContentTypeList,
  C extends ComponentList = ComponentList,
> {
  /** The content-types: a list, or an object such as `{ article, author }`. Default none. */
  readonly contentTypes?: T
  /** The components, in the same forms. Default none. */
  readonly components?: C
  /** Names of plugins that the database was used with, and that are left out although they guard something. Default none. */
  readonly withoutPlugin?: readonly string[]
  /** `memory://` or `file:./dir` for the embedded engine, or `postgres://user:password@host/database`, with several hosts (`a:5432,b:5432`) for a primary and its standbys. Default `memory://`. */
  readonly database?: string
  /**
   * The URL of the server itself, when `database` is that of PgBouncer or another pooler in transaction mode. Notifications
   * between processes use it. Like `database` it may have several hosts. Default: `database` is the server's own.
   */
  readonly directDatabase?: string
  /**
   * Maximum connections of this process to a PostgreSQL server, beside a few for upkeep: up to four while stored files are replaced. Default: seven per
   * core, at least 14 and at most 40.
   */
  readonly connections?: number
  /** Streaming replicas of `database`, which serve reads that allow it. Default none. */
  readonly replicas?: readonly string[]
  /**
   * The durability of writes of the embedded engine in a folder. With `full`, an answer waits until its write is on the disk. With `relaxed`, a power cut
   * may take the writes of the last second, but never damages the folder. Default `full`.
   */
  readonly durability?: 'full' | 'relaxed'
  /**
   * Refuses names in requests that nothing reads, such as `filter[title]=x` or an attribute `titel` in a body, with 400. Default
   * false: they are ignored, and logged once each unless `NODE_ENV` is `production`.
   */
  readonly strict?: boolean
  /** The limits of one request. */
  readonly limits?: Partial<Limits>
  /** Attribute types that plugins provide, `{ media: 'a plugin that stores files' }`: without it, they are omitted with a warning that names it. Default none. */
  readonly absentTypes?: Readonly<Record<string, string>>
  /** Names of attributes that are private in every content-type and component, such as `createdAt`. Default none. */
  readonly privateAttributes?: readonly string[]
}

/** The options of `createOctavo`. */
export interface OctavoOptions<
  T extends ContentTypeList = ContentTypeList,
  C extends ComponentList = ComponentList,
> extends CommonOctavoOptions<T, C> {
  /** The plugins. `before`, `after` and `requires` of a plugin decide the order, then the list. Default none. */
  readonly plugins?: readonly Plugin[]
  /** The sizes of pages, and their totals. */
  readonly rest?: {
    /** Entries of a page, if a request gives no number. Default 25. */
    readonly defaultLimit?: number
    /** Entries of a page, at most. Default 100. */
    readonly maxLimit?: number
    /** Whether responses include totals. Default true. */
    readonly withCount?: boolean
    /** Totals above this are PostgreSQL's estimate, marked `estimated`. Default: all totals are counted. */
    readonly estimateCountAbove?: number
  }
  /** pino, or any object with the methods `debug`, `info`, `warn`, `error` and `child`. Default: no log; `createServer` writes to the standard error. */
  readonly logger?: Logger
  /** Records the steps of requests. Default: nothing is recorded. */
  readonly trace?: Trace
  /**
   * The words of the command of a plugin that this Octavo runs, such as `drafts publish`: a start that the plugin refuses may be one
   * that its command mends. Default: none, it is a program's or a server's.
   */
  readonly command?: string
  /** Hooks of the embedding package (the server's), besides core's. */
  readonly hooks?: HookTable
}
