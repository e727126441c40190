import type { Logger } from '@octavo/database'
import { ConfigurationError } from '@octavo/database'
import type { ContentTypeDefinition } from '../content-type/definition/definition.ts'
import type { ContentType, Registry } from '../content-type/model.ts'
import {
  type EntryAccess,
  entriesOf,
  findType,
  queryText,
  requireId,
  requireIds,
} from '../entries/entries.ts'
import { problem } from '../error/problems.ts'
import type { Definitions } from '../hooks/definition-hooks.ts'
import { isWritable } from '../hooks/writable.ts'
import type { Octavo, TransactionScope } from '../octavo.ts'
import { type ActionDeclaration, actionsOf } from '../plugin/actions.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type { RequestState } from '../plugin/request-state.ts'
import { storedAnswer } from '../repeat/stored-answers.ts'
import type { Figures } from '../requests.ts'
import type { Processes } from '../schema/processes.ts'
import { SearchUpkeep } from '../schema/search/search-upkeep.ts'
import { tablesOf } from '../schema/tables/tables.ts'
import type { WriteSession } from '../write/run/session.ts'
import { AddedTypes, type Combined } from './added-types.ts'
import { type PreparedRegistry, prepareRegistry, type RequestParts } from './prepared-registry.ts'

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
  get store(): Octavo['store'] {
    return this.#parts.store
  }
  get limits(): Octavo['limits'] {
    return this.#parts.limits
  }
  get logger(): Octavo['logger'] {
    return this.#parts.logger
  }
  get hooks(): Octavo['hooks'] {
    return this.#parts.declared.hooks
  }
  get sections(): Octavo['sections'] {
    return this.#parts.declared.sections
  }
  get command(): Octavo['command'] {
    return this.#parts.command
  }
  get commands(): Octavo['commands'] {
    return this.#parts.declared.commands
  }
  get strict(): boolean {
    return this.#parts.unknownNames === 'refuse'
  }
  get unrestricted(): Octavo['unrestricted'] {
    return this.#parts.declared.unrestricted
  }
  get operators(): Octavo['operators'] {
    return this.#parts.declared.operators
  }
  get actions(): Octavo['actions'] {
    this.#actions ??= actionsOf(this.#registry, this.#parts.declared.actions)
    return this.#actions
  }

  // The methods have the types of the interface, which also describes them.

  readonly runtimeValue: Octavo['runtimeValue'] = (name, state) =>
    this.#parts.declared.runtimeValues.get(name)?.(state)

  readonly read: Octavo['read'] = (request) => this.#prepared.reader.read(request)

  readonly visible: Octavo['visible'] = (request) => this.#prepared.reader.visible(request)

  readonly writable: Octavo['writable'] = ({ type, ...request }) => {
    const attributes = [...type.attributes.values(), ...type.morphs.values()]
    const open = attributes.filter((attribute) => isWritable(attribute, { type, ...request }, this.hooks))
    return new Set(open.map(({ name }) => name))
  }

  readonly answerKey: Octavo['answerKey'] = (request) => this.#prepared.reader.answerKey(request)

  readonly explain: Octavo['explain'] = (request, { values = false, figures = false } = {}) =>
    this.#prepared.reader.explain(request, { values, figures })

  readonly write: Octavo['write'] = async (request) => {
    const { type, action, id } = request
    if (action !== 'create') requireId(type, id, action)
    return this.#prepared.writer.write(request)
  }

  readonly bulk: Octavo['bulk'] = async (request) => {
    requireIds(request)
    return this.#prepared.writer.bulk(request)
  }

  // Safe: results have the shape of the definition.
  readonly entries: Octavo['entries'] = (type: string | ContentTypeDefinition, state: RequestState = {}) =>
    this.#entries(this.#registry, type, this, state) as never

  readonly queryString: Octavo['queryString'] = (type, query) =>
    queryText(query, type, this.#registry, this.#parts.declared.params)

  readonly transaction: Octavo['transaction'] = (work, state = {}) =>
    this.#prepared.writer.transaction(state, (session) => work(this.#scope(session, state)))

  readonly once: Octavo['once'] = (repeatable, work, state = {}) =>
    this.#prepared.writer.transaction(state, (session) =>
      session.once(repeatable, () => work(this.#scope(session, state))),
    )

  readonly storedAnswer: Octavo['storedAnswer'] = (repeatable) => storedAnswer(this.store, repeatable)

  readonly addContentType: Octavo['addContentType'] = (definition) => this.#addedTypes.add(definition)

  #scope(session: WriteSession, state: RequestState): TransactionScope {
    const registry = this.#registry
    return {
      // Safe: results have the shape of the definition.
      entries: (type: string | ContentTypeDefinition) =>
        this.#entries(registry, type, session, state) as never,
      liftTimeLimits: () => session.liftTimeLimits(),
    }
  }

  #entries(
    registry: Registry,
    type: string | ContentTypeDefinition,
    access: EntryAccess,
    state: RequestState,
  ): unknown {
    const { params } = this.#parts.declared
    return entriesOf(findType(registry, type), registry, access, state, notFound, params)
  }

  /** Starts the plugins, and follows what other processes of the database do. Call it before the first request. */
  async start(): Promise<void> {
    const { channels, hooks } = this.#parts.declared
    for (const channel of channels) await channel.open(this.store)
    await hooks.guard('octavo:start', this)
    for (const channel of channels) channel.begin()
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

  /** @throws ConfigurationError that a handler threw; PluginError for other errors. */
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
