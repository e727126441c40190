import type { ComponentList, ContentTypeList } from './entries/model.ts'
import type { Limits } from './limits.ts'
import type { Logger } from './logger.ts'
import type { Plugin } from './plugin/define.ts'
import type { HookTable } from './plugin/hook-row.ts'

export interface OctavoOptions<
  T extends ContentTypeList = ContentTypeList,
  C extends ComponentList = ComponentList,
> {
  /** A list, or an object such as `{ article, author }`. */
  readonly contentTypes?: T
  readonly components?: C
  readonly plugins?: readonly Plugin[]
  /** Names of plugins that the database was used with, and that are left out although they guard something. Default none. */
  readonly withoutPlugin?: readonly string[]
  /** `memory://` (the default), `file:./dir`, or `postgres://user:password@host/database`. */
  readonly database?: string
  /**
   * The most connections to a PostgreSQL server that this process keeps. Default: five for each core, but no fewer than 10
   * and no more than 40.
   */
  readonly connections?: number
  /** PostgreSQL servers that follow `database` by streaming replication, and answer reads that allow it. Default none. */
  readonly replicas?: readonly string[]
  /** Entries of a page when none is asked, default 25; the most that can be asked, default 100; whether totals come along, default true. */
  readonly rest?: {
    readonly defaultLimit?: number
    readonly maxLimit?: number
    readonly withCount?: boolean
    /** Totals above this are PostgreSQL's estimate, and marked `estimated`. Default: all are counted. */
    readonly estimateCountAbove?: number
  }
  readonly limits?: Partial<Limits>
  readonly logger?: Logger
  /** Hooks of the embedding package (the server's), besides core's. */
  readonly hooks?: HookTable
  /** Attribute types that are known to come with a plugin: `{ media: '@octavo/plugin-upload' }`; left out with a warning that names it. */
  readonly absentTypes?: Readonly<Record<string, string>>
}
