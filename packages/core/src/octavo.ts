import type { ContentTypeDefinition } from './content-type/definition.ts'
import type { ContentType, Registry } from './content-type/model.ts'
import type { Entries, EntriesFor } from './entries/entries.ts'
import type { TypeName, TypeNamed } from './entries/model.ts'
import type { Limits } from './limits.ts'
import type { Logger } from './logger.ts'
import type { ActionDeclaration } from './plugin/actions.ts'
import type { HookRunner } from './plugin/hook-runner.ts'
import type { RequestState } from './plugin/request-state.ts'
import type { BulkRequest, BulkResult, Figures, ReadAnswer, ReadRequest, WriteRequest } from './requests.ts'
import type { Store } from './store/store.ts'
import type { SectionHandler } from './transfer/section.ts'

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

/** Something that an operator runs from the command line: `octavo media check`. */
export interface OperatorCommand {
  /** For the list of commands: a phrase. */
  readonly description: string
  /** Options without a value that it takes, with a phrase for each: `{ delete: 'removes what is found' }`. Default: none. */
  readonly flags?: Readonly<Record<string, string>>
  /** The arguments that it takes after its words, for the list of commands: `<role> <actions...>`. Default: none. */
  readonly arguments?: string
  /**
   * Runs on a started octavo, without a server.
   * @param print Writes a line to the terminal.
   * @param given The arguments after the command's words. Default: none.
   * @returns false when what it looked at is not as it should be: the exit code is 1 then.
   */
  readonly run: (
    octavo: Octavo,
    flags: ReadonlySet<string>,
    print: (line: string) => void,
    given?: readonly string[],
  ) => Promise<boolean>
}
