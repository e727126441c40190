import type { ComponentList, ContentTypeList } from './entries/model.ts'
import type { Plugin } from './host/define.ts'
import type { Limits } from './limits.ts'
import type { Logger } from './logger.ts'
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
   * Maximum connections of this process to a PostgreSQL server. Default: five per core, at least 10
   * and at most 40.
   */
  readonly connections?: number
  /** Streaming replicas of `database`, which serve reads that allow it. Default none. */
  readonly replicas?: readonly string[]
  /** The default page size (default 25), the maximum (default 100), and whether responses include totals (default true). */
  readonly rest?: {
    readonly defaultLimit?: number
    readonly maxLimit?: number
    readonly withCount?: boolean
    /** Totals above this are PostgreSQL's estimate, marked `estimated`. Default: all totals are counted. */
    readonly estimateCountAbove?: number
  }
  readonly limits?: Partial<Limits>
  readonly logger?: Logger
  /** Hooks of the embedding package (the server's), besides core's. */
  readonly hooks?: HookTable
  /** Attribute types that a plugin provides, `{ media: '@octavo/plugin-upload' }`: without it, they are omitted with a warning that names it. */
  readonly absentTypes?: Readonly<Record<string, string>>
}
