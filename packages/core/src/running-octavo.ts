import type { Logger, Store } from '@octavo/database'
import { ConfigurationError } from '@octavo/database'
import { AddedTypes, type Combined } from './added-types.ts'
import type { ContentTypeDefinition } from './content-type/definition/definition.ts'
import type { Attribute, ContentType, MorphAttribute, Registry } from './content-type/model.ts'
import { type Entries, type EntriesFor, entriesOf, findType, queryText } from './entries/entries.ts'
import type { QueryInput } from './entries/query/query-input.ts'
import { problem } from './error/problems.ts'
import type { Explanation } from './explanation.ts'
import type { Limits } from './limits.ts'
import type { Octavo, OperatorCommand, TransactionScope } from './octavo.ts'
import type { DeclaredOperators } from './operator/added.ts'
import { type ActionDeclaration, actionsOf } from './plugin/actions.ts'
import type { Definitions } from './plugin/definition-hooks.ts'
import type { HookRunner } from './plugin/hook-runner.ts'
import { PluginError } from './plugin/plugin-error.ts'
import type { RequestState } from './plugin/request-state.ts'
import type { SectionHandler } from './plugin/section.ts'
import { type PreparedRegistry, prepareRegistry, type RequestParts } from './prepared-registry.ts'
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
import type { Processes } from './schema/processes.ts'
import { SearchUpkeep } from './schema/search-upkeep.ts'
import { tablesOf } from './schema/tables.ts'
import type { WriteSession } from './write/run/session.ts'
import { storedAnswer } from './write/run/stored-answers.ts'

const notFound = (): Error => problem('entry/not-found')

export interface OctavoParts extends RequestParts {
  readonly definitions: Definitions
  readonly build: (definitions: Definitions) => Registry
  /** The registry of the definitions in code. */
  readonly base: Registry
  readonly logger: Logger
  readonly processes: Processes
  readonly command: string | undefined
}

/** Requests can name anything: later warnings are left out, and the memory is bounded. */
const mostWarnings = 1000

/** An Octavo on an open database. */
export class RunningOctavo implements Octavo {
  readonly #parts: OctavoParts
  readonly #addedTypes: AddedTypes
  #registry: Registry
  #prepared: PreparedRegistry
  #actions: ReadonlyMap<string, ActionDeclaration> | undefined
  #closing: Promise<void> | undefined
  readonly #searches: SearchUpkeep
  #lackingWords: ReadonlySet<string> = new Set()
  /** The first warnings about requests, which are logged once each. */
  readonly #warned = new Set<string>()

  /** @param current The registry of `parts.base` and the stored content-types. */
  constructor(parts: OctavoParts, current: Combined) {
    const { registry } = current
    this.#parts = parts
    this.#registry = registry
    this.#prepared = this.#prepare(registry)
    this.#searches = new SearchUpkeep({
      ...parts,
      tables: () => tablesOf(this.#registry),
      changed: (lacking) => {
        this.#lackingWords = lacking
        // Cached statements have the words of the former state.
        this.#prepared = this.#prepare(this.#registry)
      },
    })
    this.#addedTypes = new AddedTypes(
      { ...parts, tables: parts.declared.tables },
      parts.store,
      parts.base,
      current,
      (type) => this.#checkAddition(type),
      (changed, types) => this.#use(changed, types),
    )
  }

  get registry(): Registry {
    return this.#registry
  }
  get store(): Store {
    return this.#parts.store
  }
  get limits(): Limits {
    return this.#parts.limits
  }
  get logger(): Logger {
    return this.#parts.logger
  }
  get hooks(): HookRunner {
    return this.#parts.declared.hooks
  }
  get sections(): ReadonlyMap<string, SectionHandler> {
    return this.#parts.declared.sections
  }

  get command(): string | undefined {
    return this.#parts.command
  }

  get commands(): ReadonlyMap<string, OperatorCommand> {
    return this.#parts.declared.commands
  }

  get strict(): boolean {
    return this.#parts.unknownNames === 'refuse'
  }

  get unrestricted(): readonly string[] {
    return this.#parts.declared.unrestricted
  }

  get operators(): DeclaredOperators {
    return this.#parts.declared.operators
  }

  runtimeValue(name: string, state: RequestState): string | number | boolean | null | undefined {
    return this.#parts.declared.runtimeValues.get(name)?.(state)
  }

  get actions(): ReadonlyMap<string, ActionDeclaration> {
    this.#actions ??= actionsOf(this.#registry, this.#parts.declared.actions)
    return this.#actions
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#prepared.reader.read(request)
  }

  visible(request: Pick<ReadRequest, 'type' | 'action' | 'state'>): ReadonlySet<string> {
    return this.#prepared.reader.visible(request)
  }

  writable({ type, ...request }: Pick<WriteRequest, 'type' | 'action' | 'state'>): ReadonlySet<string> {
    const isOpen = (attribute: Attribute | MorphAttribute): boolean =>
      !this.hooks.collect('entry:writable', attribute, { type, ...request }).includes(false)
    const attributes = [...type.attributes.values(), ...type.morphs.values()]
    return new Set(attributes.filter(isOpen).map(({ name }) => name))
  }

  answerKey(request: ReadRequest): string {
    return this.#prepared.reader.answerKey(request)
  }

  explain(
    request: ReadRequest,
    { values = false, figures = false }: { readonly values?: boolean; readonly figures?: boolean } = {},
  ): Promise<Explanation> {
    return this.#prepared.reader.explain(request, { values, figures })
  }

  write(request: WriteRequest): Promise<ReadAnswer> {
    return this.#prepared.writer.write(request)
  }

  bulk(request: BulkRequest): Promise<BulkResult> {
    return this.#prepared.writer.bulk(request)
  }

  entries(name: string, state?: RequestState): Entries
  entries<const D extends ContentTypeDefinition>(definition: D, state?: RequestState): EntriesFor<unknown, D>
  entries(type: string | ContentTypeDefinition, state: RequestState = {}): unknown {
    return entriesOf(
      findType(this.#registry, type),
      this.#registry,
      this,
      state,
      notFound,
      this.#parts.declared.params,
    )
  }

  queryString(type: ContentType, query: QueryInput): string {
    return queryText(query, type, this.#registry, this.#parts.declared.params)
  }

  transaction<T>(work: (tx: TransactionScope) => Promise<T>, state: RequestState = {}): Promise<T> {
    return this.#prepared.writer.transaction(state, (session) => work(this.#scope(session, state)))
  }

  once(
    repeatable: Repeatable,
    work: (tx: TransactionScope) => Promise<string>,
    state: RequestState = {},
  ): Promise<OnceResult> {
    return this.#prepared.writer.transaction(state, (session) =>
      session.once(repeatable, () => work(this.#scope(session, state))),
    )
  }

  storedAnswer(repeatable: Repeatable): Promise<string | undefined> {
    return storedAnswer(this.store, repeatable)
  }

  #scope(session: WriteSession, state: RequestState): TransactionScope {
    const registry = this.#registry
    return {
      // Safe: results have the shape of the definition.
      entries: (type: string | ContentTypeDefinition) =>
        entriesOf(
          findType(registry, type),
          registry,
          session,
          state,
          notFound,
          this.#parts.declared.params,
        ) as never,
    }
  }

  addContentType(definition: ContentTypeDefinition): Promise<ContentType> {
    return this.#addedTypes.add(definition)
  }

  /** Follows the content-types that other processes of the database add. Call it before the first request. */
  async follow(): Promise<void> {
    await this.#addedTypes.follow()
  }

  /** Makes the indexes of searches that the start left out. @returns whether there are any */
  makeSearches(): Promise<boolean> {
    return this.store.engine === 'postgresql' ? this.#searches.step() : Promise.resolve(false)
  }

  figures(): Figures {
    return { statements: this.#prepared.reads.figures, connections: this.store.connections() }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#addedTypes.stop()
    await this.hooks.notify('octavo:stop', this)
    this.#searches.stop()
    await this.#parts.processes.stop()
    await this.store.close()
  }

  /** @throws ConfigurationError of a handler, as it is; PluginError for other errors. */
  async #checkAddition(type: ContentType): Promise<void> {
    try {
      await this.hooks.guard('content-type:adding', type)
    } catch (error) {
      if (error instanceof PluginError && error.cause instanceof ConfigurationError) throw error.cause
      throw error
    }
  }

  async #use(registry: Registry, changed: readonly ContentType[]): Promise<void> {
    this.#registry = registry
    this.#actions = undefined
    this.#prepared = this.#prepare(registry)
    for (const type of changed) await this.hooks.notify('content-type:added', type, this)
  }

  /** Begins without cached statements. */
  #prepare(registry: Registry): PreparedRegistry {
    return prepareRegistry(registry, this.#parts, this.#lackingWords, (message) => this.#warnOnce(message))
  }

  #warnOnce(message: string): void {
    if (this.#warned.has(message) || this.#warned.size >= mostWarnings) return
    this.#warned.add(message)
    this.logger.warn({}, message)
  }
}
