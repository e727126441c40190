import type { WriteAction } from './content-type/content-actions.ts'
import type { ContentTypeDefinition } from './content-type/definition.ts'
import type { ContentType, Registry } from './content-type/model.ts'
import type { Entries, EntriesFor } from './entries/entries.ts'
import type { ComponentList, ContentTypeList, TypeName, TypeNamed } from './entries/model.ts'
import type { Limits } from './limits.ts'
import type { Logger } from './logger.ts'
import type { ActionDeclaration } from './plugin/actions.ts'
import type { OperatorCommand, Plugin } from './plugin/define.ts'
import type { HookTable } from './plugin/hook-row.ts'
import type { HookRunner } from './plugin/hook-runner.ts'
import type { RequestState } from './plugin/hooks.ts'
import type { ConnectionFigures, Store } from './store/store.ts'
import type { SectionHandler } from './transfer/section.ts'
import type { EntryInput } from './write/validate.ts'

export interface OctavoOptions<
  T extends ContentTypeList = ContentTypeList,
  C extends ComponentList = ComponentList,
> {
  /** A list, or an object such as `{ article, author }`. */
  readonly contentTypes?: T
  readonly components?: C
  readonly plugins?: readonly Plugin[]
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

export interface ReadRequest {
  readonly type: ContentType
  /** What the caller does, e.g. `find` or `findOne`; part of the statement cache's key. */
  readonly action: string
  /**
   * `list`: a page; `one`: the entry with `id`, or the first; `single`: the first, or the list of all entries where a
   * plugin answers a single type so (`query:single`); `count`: a number.
   */
  readonly kind: 'list' | 'one' | 'single' | 'count'
  /** For `one`; absent for a single type. */
  readonly id?: number
  /** The query string as it came, without `?`. */
  readonly query: string
  readonly state: RequestState
  /** Rows that the page may have at most, in place of `rest.maxLimit`: for routes whose lists are bounded otherwise. */
  readonly maxLimit?: number
  /** A replica may answer: one that knows of all up to the position `after`, if there is one; see `Store.position`. */
  readonly replica?: { readonly after: string | undefined }
  /** Aborted when nobody waits for the answer any more: its statement is then cancelled, where the engine can. */
  readonly signal?: AbortSignal
  /** Whether the answer tells what it depends on. It is parsed for that. Default false. */
  readonly tags?: boolean
}

export interface WriteRequest {
  readonly type: ContentType
  readonly action: WriteAction
  /** The entry; absent for a create, and for a single type. */
  readonly id?: number
  /** For a create or update. */
  readonly input?: EntryInput
  /** The query string, without `?`: `fields` and `populate` apply to the answer. */
  readonly query: string
  readonly state: RequestState
}

/** Many writes of one content-type in one transaction. */
export interface BulkRequest {
  readonly type: ContentType
  readonly create?: readonly EntryInput[]
  readonly update?: readonly (EntryInput & { readonly id: number })[]
  readonly delete?: readonly number[]
  readonly state: RequestState
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
        /** What `pagination[before]` and `pagination[after]` take for the pages beside this one; null where there is none. */
        readonly cursors: { readonly before: string | null; readonly after: string | null }
      }
  )

interface PageTotal {
  /** Where it was asked for. */
  readonly total?: number
  /** The total is PostgreSQL's estimate. */
  readonly estimated?: true
}

export interface ReadAnswer {
  /** JSON text of `data`, as PostgreSQL made it; it goes out as it is. `undefined`: no such entry. */
  readonly data: string | undefined
  /** For a list. */
  readonly pagination?: Pagination
  /** What it depends on, when that was asked. */
  readonly tags?: AnswerTags
}

/** Tags of an answer; see `tagsOfWrite`. */
export interface AnswerTags {
  /** `article/7`: the entries that it shows, at any depth. */
  readonly entries: readonly string[]
  /** `article:list`, `article:values`. */
  readonly types: readonly string[]
}

/** What a program has inside a transaction. */
export interface TransactionScope {
  entries(name: string): Entries
  /** The same, typed by the definition that it was made with. */
  entries<const D extends ContentTypeDefinition>(definition: D): EntriesFor<unknown, D>
}

/** Entries by name or definition, typed by the definitions of a whole model. */
export interface ModelEntries<M> {
  /** By the uid or the singular name of one of the model's content-types. */
  entries<const N extends TypeName<M>>(
    name: N,
    state?: RequestState,
  ): TypeNamed<M, N> extends infer D extends ContentTypeDefinition ? EntriesFor<M, D> : Entries
  /** A content-type of a plugin's, whose definition is not among the model's. */
  entries(name: `plugin::${string}`, state?: RequestState): Entries
  entries<const D extends ContentTypeDefinition>(definition: D, state?: RequestState): EntriesFor<M, D>
}

/**
 * An Octavo that knows the types of its model: `createOctavo({ contentTypes: { article, author } })`. Names that neither the
 * model nor a plugin has do not compile; where nothing is known of the model, any name does.
 */
export type TypedOctavo<M> = [TypeName<M>] extends [never]
  ? Octavo
  : Omit<Octavo, 'entries' | 'transaction'> &
      ModelEntries<M> & {
        /** See {@link Octavo.transaction}. */
        transaction<T>(work: (tx: ModelEntries<M>) => Promise<T>, state?: RequestState): Promise<T>
      }

/** The cache of statements, since the process began or a content-type was added. */
export interface StatementFigures {
  /** Questions whose statement was there, and those that had to be parsed, resolved and compiled. */
  readonly hits: number
  readonly misses: number
  /** Statements in it now. */
  readonly kept: number
}

export interface Figures {
  readonly statements: StatementFigures
  /** To a PostgreSQL server; `undefined` for the embedded one. */
  readonly connections: ConnectionFigures | undefined
}

export interface Octavo {
  readonly registry: Registry
  readonly store: Store
  readonly limits: Limits
  readonly logger: Logger
  /** Answers a reading request in one statement. @throws OctavoError */
  read(request: ReadRequest): Promise<ReadAnswer>
  /**
   * Writes an entry in one transaction and answers with it as the read path gives it, after a create or update as it
   * is, of a delete as it was. `data` is `undefined` when there is no such entry.
   * @throws OctavoError; nothing is written then.
   */
  write(request: WriteRequest): Promise<ReadAnswer>
  /**
   * Writes many entries of a type: creates, then updates, then deletes. A path in a mistake begins with the list and the
   * place in it: `['create', '3', 'title']`.
   * @throws OctavoError; nothing is written then.
   */
  bulk(request: BulkRequest): Promise<BulkResult>
  /**
   * The entries of a content-type, by its uid or singular name, for programs.
   * @param state Who asks; by default nobody in particular, as over HTTP without credentials.
   */
  entries(name: string, state?: RequestState): Entries
  /** The same, typed by the definition that it was made with. */
  entries<const D extends ContentTypeDefinition>(definition: D, state?: RequestState): EntriesFor<unknown, D>
  /**
   * Runs reads and writes of programs in one transaction: all that `work` writes is kept, or nothing when it throws.
   * It may run more than once, when the database gives the transaction up in favour of another one.
   */
  transaction<T>(work: (tx: TransactionScope) => Promise<T>, state?: RequestState): Promise<T>
  /** Runs the hooks of one name the way their kind says. For packages that add hooks. */
  readonly hooks: HookRunner
  /** What the plugins declared for import and export files, by section. */
  readonly sections: ReadonlyMap<string, SectionHandler>
  /** What the plugins added to the command line, by its words. */
  readonly commands: ReadonlyMap<string, OperatorCommand>
  /** Every action that can be permitted, by its name: of content-types, and what plugins declared. */
  readonly actions: ReadonlyMap<string, ActionDeclaration>
  /** Adds a content-type to the running server: its table is made and its endpoints answer at once. */
  addContentType(definition: ContentTypeDefinition): Promise<ContentType>
  /**
   * What a runtime value is for a request: `user.id`, for example, is the id of the caller's account.
   * `undefined` when no plugin declares a runtime value of that name.
   */
  runtimeValue(name: string, state: RequestState): string | number | boolean | null | undefined
  /** How it does, for operators. */
  figures(): Figures
  /** Waits for the stop hooks, then closes the pool. */
  close(): Promise<void>
}
