import type { Logger, Store } from '@octavo/database'
import type { ContentTypeDefinition } from './content-type/definition/definition.ts'
import type { ContentType, Registry } from './content-type/model.ts'
import type { DoesNotExist } from './content-type/types/attribute-options.ts'
import type { Entries, EntriesFor } from './entries/entries.ts'
import type { TypeName, TypeNamed } from './entries/model.ts'
import type { QueryInput } from './entries/query/query-input.ts'
import type { RegisteredTypes } from './entries/registered-types.ts'
import type { Explanation } from './explanation.ts'
import type { HookRunner } from './hooks/hook-runner.ts'
import type { Limits } from './limits.ts'
import type { DeclaredOperators } from './operator/added.ts'
import type { ActionDeclaration } from './plugin/actions.ts'
import type { RequestState } from './plugin/request-state.ts'
import type { SectionHandler } from './plugin/section.ts'
import type {
  BulkRequest,
  BulkResult,
  Figures,
  OnceResult,
  ReadAnswer,
  ReadRequest,
  Repeatable,
  WriteRequest,
} from './requests.ts'

/** The access of a program to a transaction. */
export interface TransactionScope {
  entries(name: string): Entries
  /** Reads and writes the entries of a content-type, typed by its definition. */
  entries<const D extends ContentTypeDefinition>(definition: D): EntriesFor<unknown, D>
  /**
   * Lifts the limits of time from the transaction: `limits.statementTime` of its statements, and `limits.transactionTime` between them. For
   * work that writes many entries, or waits for a file or another server.
   */
  liftTimeLimits(): Promise<void>
}

/** Entries by name or definition, typed by the definitions of a whole model. */
export interface ModelEntries<M> {
  /**
   * By the uid or the singular name of one of the model's content-types, the uid of one of a plugin, a definition, or a name that is only
   * known when the program runs. One signature: with several, the compiler's message about a misspelt name would be about the last one.
   */
  entries<const N extends TypeName<M> | `plugin::${string}` | (string & {}) | ContentTypeDefinition>(
    type: N & CheckedName<M, N>,
    state?: RequestState,
  ): EntriesNamed<M, N>
}

/** Rejects a literal that is no name. */
type CheckedName<M, N> = string extends N
  ? unknown
  : N extends TypeName<M> | `plugin::${string}` | ContentTypeDefinition
    ? unknown
    : DoesNotExist<`There is no content-type "${N & string}"`>

type EntriesNamed<M, N> = N extends ContentTypeDefinition
  ? EntriesFor<M, N>
  : N extends TypeName<M>
    ? TypeNamed<M, N> extends infer D extends ContentTypeDefinition
      ? EntriesFor<M, D>
      : Entries
    : Entries

/**
 * An Octavo that is typed by its model: `createOctavo({ contentTypes: { article, author } })`, or by the file that
 * `octavo types` writes. Unknown names do not compile; without a typed model any name does.
 */
export type TypedOctavo<M> = [TypeName<M>] extends [never]
  ? [TypeName<RegisteredTypes>] extends [never]
    ? Octavo
    : OctavoOf<RegisteredTypes>
  : OctavoOf<M>

type OctavoOf<M> = OctavoOfAnyModel &
  ModelEntries<M> & {
    /**
     * Runs reads and writes in one transaction, which is rolled back when `work` throws. `work` may run several times, after a serialization
     * failure or deadlock.
     */
    transaction<T>(
      work: (tx: ModelEntries<M> & Pick<TransactionScope, 'liftTimeLimits'>) => Promise<T>,
      state?: RequestState,
    ): Promise<T>
  }

/** The methods and values of an Octavo that do not depend on its model. */
export interface OctavoOfAnyModel {
  /** The content-types and components, with their attributes, as the server knows them. */
  readonly registry: Registry
  /** The database, for statements of plugins: `octavo.store.query(sql`…`)`. */
  readonly store: Store
  /** The limits of requests. */
  readonly limits: Limits
  /** The logger of the options. */
  readonly logger: Logger
  /** Reads with one statement. @throws OctavoError */
  read(request: ReadRequest): Promise<ReadAnswer>
  /**
   * A text that is equal for reads of which one answer serves all: with the same query, of callers with the same rights. For plugins that
   * read for many callers at once.
   * @throws OctavoError for an invalid query
   */
  answerKey(request: ReadRequest): string
  /**
   * Explains a read instead of answering it: the narrowing by plugins, the plan, and the statement with the rows and times of
   * `EXPLAIN ANALYZE`, in a transaction that is rolled back. The explanation names parts that the caller may not read, so the
   * program decides who may see it.
   *
   * @param options.values Whether it includes the values of the statement. Default false.
   * @param options.figures Whether it runs the statement and includes its steps, times and numbers of rows even if plugins narrow
   * the read, and whether it was cached. These depend on entries that the caller may not read. Default false: only if no plugin does.
   */
  explain(
    request: ReadRequest,
    options?: { readonly values?: boolean; readonly figures?: boolean },
  ): Promise<Explanation>
  /**
   * Writes an entry in one transaction and returns it like a read: the new state after a create or update, the former
   * state after a delete. `data` is `undefined` when the entry does not exist.
   * @throws OctavoError; nothing is written then.
   */
  write(request: WriteRequest): Promise<ReadAnswer>
  /**
   * Writes many entries of a type: creates, then updates, then deletes. The path of a mistake begins with the list and
   * the index: `['create', '3', 'title']`.
   * @throws OctavoError; nothing is written then.
   */
  bulk(request: BulkRequest): Promise<BulkResult>
  /**
   * Runs `work` in a transaction once for a key: the text that it returns is stored in the same transaction for a day, and later calls with
   * the key return it without running `work`. A text of more than 1 MiB is not stored. For routes of plugins that their clients may repeat.
   * @throws OctavoError 422 `entry/key-reused` when an earlier call had another content, `entry/answer-not-stored` when its text was not stored
   */
  once(
    repeatable: Repeatable,
    work: (tx: TransactionScope) => Promise<string>,
    state?: RequestState,
  ): Promise<OnceResult>
  /**
   * The text that an earlier call of `once`, or a write with the key, stored; `undefined` without one.
   * @throws OctavoError 422 `entry/key-reused` when the earlier call had another content
   */
  storedAnswer(repeatable: Repeatable): Promise<string | undefined>
  /**
   * The names of the attributes that a request may read of the entries of a content-type: without private ones, those that
   * plugins hide from the caller, and relations to entries of which it may read none. For descriptions of the API.
   */
  visible(request: Pick<ReadRequest, 'type' | 'action' | 'state'>): ReadonlySet<string>
  /**
   * The names of the attributes that a request may write to the entries of a content-type: without those with `writable: false`, and those that
   * plugins leave out of its input. For descriptions of the API.
   */
  writable(request: Pick<WriteRequest, 'type' | 'action' | 'state'>): ReadonlySet<string>
  /**
   * The query string of a query as an object.
   * @throws ValidationError for unknown names
   */
  queryString(type: ContentType, query: QueryInput): string
  /** Runs hooks by their kind. For packages that add hooks. */
  readonly hooks: HookRunner
  /** The section handlers of plugins for import and export, by section. */
  readonly sections: ReadonlyMap<string, SectionHandler>
  /** The command that it runs, with its arguments; `undefined` for programs and servers. See `OctavoOptions.command`. */
  readonly command: string | undefined
  /** The commands of plugins, by name. */
  readonly commands: ReadonlyMap<string, OperatorCommand>
  /** The reasons for which plugins have unrestricted access: `users-permissions: logins`. */
  readonly unrestricted: readonly string[]
  /** The option `strict`: whether names in requests that nothing reads are refused. */
  readonly strict: boolean
  /** The operators that plugins added to `filters`, by name. */
  readonly operators: DeclaredOperators
  /** All actions that permissions can name: those of content-types and of plugins. */
  readonly actions: ReadonlyMap<string, ActionDeclaration>
  /**
   * Adds a content-type while the server runs: its table is created and its endpoints are available at once, and within moments in
   * the other processes of the database. The definition is stored in the database and used by later starts, unless code
   * defines the same uid. Adding a type again with another definition replaces the stored one.
   *
   * @throws DefinitionError, SchemaError, and ConfigurationError for endpoints that belong to a plugin's routes; nothing is
   *   stored then. A uid that code defines is a DefinitionError.
   */
  addContentType(definition: ContentTypeDefinition): Promise<ContentType>
  /**
   * The runtime value of a request: `user.id`, for example, is the id of the caller's account.
   * `undefined` when no plugin declares a runtime value of that name.
   */
  runtimeValue(name: string, state: RequestState): string | number | boolean | null | undefined
  /** Figures for operators. */
  figures(): Figures
  /** Waits for the stop hooks, then closes the pool. */
  close(): Promise<void>
}

/** A running Octavo: it reads and writes entries, for programs, plugins and servers. */
export interface Octavo extends OctavoOfAnyModel {
  /**
   * The entries of a content-type, by its uid or singular name, for programs.
   * @param state The state of the request. Default: a request without credentials.
   */
  entries(name: string, state?: RequestState): Entries
  /** Reads and writes the entries of a content-type, typed by its definition. */
  entries<const D extends ContentTypeDefinition>(definition: D, state?: RequestState): EntriesFor<unknown, D>
  /**
   * Runs reads and writes of programs in one transaction, which is rolled back when `work` throws.
   * `work` may run several times, after a serialization failure or deadlock.
   * @throws OctavoError, `database/idle-transaction` for work that takes longer than `limits.transactionTime` between two of them
   */
  transaction<T>(work: (tx: TransactionScope) => Promise<T>, state?: RequestState): Promise<T>
}

/** A command that an operator runs from the command line: `octavo media check`. */
export interface OperatorCommand {
  /** A phrase for the list of commands. */
  readonly description: string
  /** The flags of the command (options without a value), with a phrase for each: `{ delete: 'removes what is found' }`. Default: none. */
  readonly flags?: Readonly<Record<string, string>>
  /** The arguments of the command, for the list of commands: `<role> <actions...>`. Default: none. */
  readonly arguments?: string
  /**
   * Runs on a started octavo, without a server.
   * @param print Writes a line to the terminal.
   * @param given The arguments after the command's words. Default: none.
   * @param progress Shows on the terminal how much of a long work is done. Default: nothing is shown.
   * @returns false when the check failed; the exit code is then 1.
   */
  readonly run: (
    octavo: Octavo,
    flags: ReadonlySet<string>,
    print: (line: string) => void,
    given?: readonly string[],
    progress?: (done: number, total: number, label: string) => void,
  ) => Promise<boolean>
}
