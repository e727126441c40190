import { type Advice, adviseIndexes, type ReadList } from './advise/advise-indexes.ts'
import { scalarTypes } from './content-type/attribute-types/table.ts'
import type { ComponentDefinition, ContentTypeDefinition } from './content-type/definition.ts'
import type { ContentType, Registry } from './content-type/model.ts'
import { buildRegistry } from './content-type/registry.ts'
import { type Entries, type EntriesFor, entriesOf, findType } from './entries/entries.ts'
import { type ComponentList, type ContentTypeList, definitionsOf, type ModelOf } from './entries/model.ts'
import { OctavoError } from './error/octavo-error.ts'
import { problem } from './error/problems.ts'
import { Reaches } from './execute/reach.ts'
import { EntryReader } from './execute/reader.ts'
import type { Explanation } from './explanation.ts'
import { notePlugins, refuseAbsentPlugins } from './host/absent-plugins.ts'
import { refuseOtherCopies } from './host/copy.ts'
import { coreHooks } from './host/lifecycle-hooks.ts'
import { type Declared, setupPlugins } from './host/setup.ts'
import { refuseUnknownKeys } from './known-keys.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { type Logger, silentLogger } from './logger.ts'
import type { Octavo, OperatorCommand, TransactionScope, TypedOctavo } from './octavo.ts'
import { octavoKeys } from './octavo-keys.ts'
import type { OctavoOptions } from './octavo-options.ts'
import { parseQuery } from './parse/parse-query.ts'
import { type ActionDeclaration, actionsOf } from './plugin/actions.ts'
import type { HookRunner } from './plugin/hook-runner.ts'
import type { Definitions } from './plugin/hooks.ts'
import type { RequestState } from './plugin/request-state.ts'
import type { SectionHandler } from './plugin/section.ts'
import type { BulkRequest, BulkResult, Figures, ReadAnswer, ReadRequest, WriteRequest } from './requests.ts'
import { Cursors } from './resolve/cursor.ts'
import type { RestDefaults } from './resolve/rest-defaults.ts'
import type { ResolveEnvironment } from './resolve/scope.ts'
import { cursorSecret } from './store/notes.ts'
import { defaultConnections, type OpenStoreOptions, openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import { tablesOf } from './store/tables.ts'
import { checkTotals, type TotalDifference } from './store/totals/check-totals.ts'
import { type SchemaUpdate, updateSchema } from './store/update-schema.ts'
import { usedIds } from './store/used-ids.ts'
import { type Trace, untraced } from './trace.ts'
import { Writer } from './write/writer.ts'

/** The declarations of plugins and the extended definitions, validated; opens no database. */
interface Prepared {
  readonly declared: Declared
  readonly definitions: Definitions
  readonly registry: Registry
  readonly build: (definitions: Definitions) => Registry
}

function prepare(options: OctavoOptions, logger: Logger): Prepared {
  // A package with its own hooks, such as the server, passes its options together with those of core.
  if (!options.hooks) refuseUnknownKeys(options, octavoKeys, 'createOctavo')
  refuseOtherCopies(options.plugins ?? [])
  const hooks = new Map(Object.entries({ ...coreHooks, ...options.hooks }))
  const declared = setupPlugins(
    options.plugins ?? [],
    { attributeTypes: scalarTypes, hooks },
    logger,
    options.trace,
  )
  const definitions: Definitions = {
    contentTypes: [...declared.contentTypes, ...definitionsOf(options.contentTypes)],
    components: [...declared.components, ...definitionsOf(options.components)],
  }
  const build = (given: Definitions): Registry => {
    const { registry, warnings } = buildRegistry({
      ...declared.hooks.transform('definitions:extend', given),
      attributeTypes: declared.attributeTypes,
      absentTypes: options.absentTypes ?? {},
    })
    for (const warning of warnings) logger.warn({}, warning)
    return registry
  }
  return { declared, definitions, registry: build(definitions), build }
}

/**
 * Validates definitions, including changes by plugins, like {@link createOctavo}; opens no database.
 * @throws PluginError or DefinitionError, with all mistakes.
 */
export const checkDefinitions = (options: OctavoOptions): Registry =>
  prepare(options, options.logger ?? silentLogger).registry

/** A logged list request. */
export interface LoggedList {
  /** The plural name, as in the path. */
  readonly route: string
  /** The query string, without `?`. */
  readonly query: string
}

/**
 * Finds filters and sorts that no index serves, and suggests indexes. Opens no database; skips unknown content-types
 * and invalid queries.
 * @throws PluginError or DefinitionError
 */
export function adviseOnLists(options: OctavoOptions, lists: readonly LoggedList[]): readonly Advice[] {
  const { registry, declared } = prepare(options, options.logger ?? silentLogger)
  const limits = { ...defaultLimits, ...options.limits }
  const reads = lists.flatMap(({ route, query }): readonly ReadList[] => {
    const type = registry.byRoute(route)
    if (!type) return []
    try {
      return [{ type, query: parseQuery(query, { limits, params: declared.params }) }]
    } catch (error) {
      if (error instanceof OctavoError) return []
      throw error
    }
  })
  return adviseIndexes(registry, reads)
}

/**
 * Returns the changes that {@link createOctavo} would make to the tables of this database, without making them.
 * @throws PluginError, DefinitionError, or SchemaError for changes that it would refuse.
 */
export async function planSchema(options: OctavoOptions): Promise<SchemaUpdate> {
  const logger = options.logger ?? silentLogger
  const { registry, declared } = prepare(options, logger)
  const limits = { ...defaultLimits, ...options.limits }
  const store = await openStore(storeOptions(options, limits, logger))
  try {
    const update = await updateSchema(store, registry, {
      check: 'always',
      dryRun: true,
      tables: declared.tables,
    })
    const warnings = [...update.warnings, ...(await usedIds(store, tablesOf(registry)))]
    return { ...update, warnings }
  } finally {
    await store.close()
  }
}

/**
 * Compares the kept totals (`options.totals`) of a database with its entries, in one snapshot per content-type.
 *
 * @param settings.repair Counts different totals again, while writers wait. Default false.
 * @returns the differences, also those that were repaired.
 * @throws PluginError, DefinitionError or SchemaError
 */
export async function checkKeptTotals(
  options: OctavoOptions,
  settings: { readonly repair?: boolean } = {},
): Promise<readonly TotalDifference[]> {
  const octavo = await createOctavo(options)
  try {
    return await checkTotals(octavo.store, octavo.registry, settings)
  } finally {
    await octavo.close()
  }
}

/**
 * Creates an Octavo: runs the plugins' `setup`, builds the registry, opens the database and updates its tables.
 *
 * @throws PluginError, DefinitionError or SchemaError, with all mistakes; the database is closed then.
 */
export async function createOctavo<
  const T extends ContentTypeList = readonly ContentTypeDefinition[],
  const C extends ComponentList = readonly ComponentDefinition[],
>(options: OctavoOptions<T, C> = {}): Promise<TypedOctavo<ModelOf<T, C>>> {
  const logger = options.logger ?? silentLogger
  const { registry, ...prepared } = prepare(options, logger)
  const limits = { ...defaultLimits, ...options.limits }
  const store = await openStore(storeOptions(options, limits, logger))
  const rest = { ...restDefaults, ...options.rest }
  try {
    const list = { plugins: options.plugins ?? [], withoutPlugin: options.withoutPlugin ?? [] }
    await refuseAbsentPlugins(store, list, logger)
    const { warnings } = await updateSchema(store, registry, { tables: prepared.declared.tables })
    for (const warning of warnings) logger.warn({}, warning)
    await notePlugins(store, list)
    const cursors = new Cursors(await cursorSecret(store))
    const octavo = new RunningOctavo(
      { ...prepared, limits, logger, store, rest, cursors, trace: options.trace },
      registry,
    )
    await octavo.hooks.guard('octavo:start', octavo)
    const { unrestricted } = prepared.declared
    if (unrestricted.length > 0) logger.info({ unrestricted }, 'Plugins with unrestricted access')
    // Safe: the registry was built from the model's definitions.
    return octavo as unknown as TypedOctavo<ModelOf<T, C>>
  } catch (error) {
    await store.close()
    throw error
  }
}

const storeOptions = (
  { database = 'memory://', connections = defaultConnections, replicas = [] }: OctavoOptions,
  limits: Limits,
  logger: Logger,
): OpenStoreOptions => ({ database, connections, replicas, limits, logger })

/** Source: spec, "Limits"; except for the maximum. */
const restDefaults: RestDefaults = {
  defaultLimit: 25,
  maxLimit: 100,
  withCount: true,
  estimateCountAbove: undefined,
}

const notFound = (): Error => problem('entry/not-found')

interface Parts {
  readonly definitions: Definitions
  readonly build: (definitions: Definitions) => Registry
  readonly declared: Declared
  readonly limits: Limits
  readonly logger: Logger
  readonly store: Store
  readonly rest: RestDefaults
  readonly cursors: Cursors
  readonly trace: Trace | undefined
}

class RunningOctavo implements Octavo {
  readonly #parts: Parts
  #definitions: Definitions
  #registry: Registry
  #reader: EntryReader
  #writer: Writer
  #actions: ReadonlyMap<string, ActionDeclaration> | undefined
  #closing: Promise<void> | undefined
  /** The warnings about queries that were logged. Their number is limited by the table of names that they are about. */
  readonly #warned = new Set<string>()

  constructor(parts: Parts, registry: Registry) {
    this.#parts = parts
    this.#definitions = parts.definitions
    this.#registry = registry
    this.#reader = this.#readerOf(registry)
    this.#writer = this.#writerOf(registry, this.#reader)
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

  get commands(): ReadonlyMap<string, OperatorCommand> {
    return this.#parts.declared.commands
  }

  runtimeValue(name: string, state: RequestState): string | number | boolean | null | undefined {
    return this.#parts.declared.runtimeValues.get(name)?.(state)
  }

  get actions(): ReadonlyMap<string, ActionDeclaration> {
    this.#actions ??= actionsOf(this.#registry, this.#parts.declared.actions)
    return this.#actions
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#reader.read(request)
  }

  visible(request: Pick<ReadRequest, 'type' | 'action' | 'state'>): ReadonlySet<string> {
    return this.#reader.visible(request)
  }

  explain(
    request: ReadRequest,
    { values = false }: { readonly values?: boolean } = {},
  ): Promise<Explanation> {
    return this.#reader.explain(request, { values })
  }

  write(request: WriteRequest): Promise<ReadAnswer> {
    return this.#writer.write(request)
  }

  bulk(request: BulkRequest): Promise<BulkResult> {
    return this.#writer.bulk(request)
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

  transaction<T>(work: (tx: TransactionScope) => Promise<T>, state: RequestState = {}): Promise<T> {
    const registry = this.#registry
    return this.#writer.transaction(state, (session) =>
      work({
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
      }),
    )
  }

  async addContentType(definition: ContentTypeDefinition): Promise<ContentType> {
    const definitions = {
      ...this.#definitions,
      contentTypes: [...this.#definitions.contentTypes, definition],
    }
    const registry = this.#parts.build(definitions)
    const before = this.#registry
    const { store, logger, declared } = this.#parts
    const { warnings } = await updateSchema(store, registry, { tables: declared.tables })
    for (const warning of warnings) logger.warn({}, warning)
    this.#definitions = definitions
    this.#registry = registry
    this.#actions = undefined
    // Cached statements refer to the old registry.
    this.#reader = this.#readerOf(registry)
    this.#writer = this.#writerOf(registry, this.#reader)
    const added = [...registry.contentTypes.values()].find((type) => !before.contentTypes.has(type.uid))
    if (!added) throw new Error('The new content-type is not in the registry')
    await this.hooks.notify('content-type:added', added, this)
    return added
  }

  figures(): Figures {
    return { statements: this.#reader.figures, connections: this.store.connections() }
  }

  close(): Promise<void> {
    this.#closing ??= this.hooks.notify('octavo:stop', this).then(() => this.store.close())
    return this.#closing
  }

  #readerOf(registry: Registry): EntryReader {
    const { declared, store } = this.#parts
    return new EntryReader(this.#environment(registry), declared, store, (message) => this.#warnOnce(message))
  }

  #warnOnce(message: string): void {
    if (this.#warned.has(message)) return
    this.#warned.add(message)
    this.logger.warn({}, message)
  }

  #writerOf(registry: Registry, reader: EntryReader): Writer {
    const reaches = new Reaches(this.#environment(registry), this.#parts.declared)
    return new Writer({
      registry,
      store: this.store,
      hooks: this.hooks,
      reader,
      reaches,
      transactionTime: this.limits.transactionTime,
      trace: this.#parts.trace ?? untraced,
    })
  }

  #environment(registry: Registry): ResolveEnvironment {
    const { declared, limits, rest, cursors, trace } = this.#parts
    return { registry, hooks: declared.hooks, params: declared.params, rest, limits, cursors, trace }
  }
}
