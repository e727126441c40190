import type { AttributeType } from '../content-type/attribute-type.ts'
import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition.ts'
import type { ContentType } from '../content-type/model.ts'
import type { Logger } from '../logger.ts'
import type { Octavo, OperatorCommand } from '../octavo.ts'
import type { RuntimeValue } from '../resolve/plan.ts'
import type { OwnColumn, OwnRow, OwnTable, OwnTableOptions } from '../rows/own-table.ts'
import type { Queryable, Transaction } from '../store/store.ts'
import type { SectionHandler } from '../transfer/section.ts'
import type { ActionSource } from './actions.ts'
import { withCopy } from './copy.ts'
import type { Fact, HookHandler, HookName, Param } from './hooks.ts'
import type { RequestState } from './request-state.ts'

/** How a declared query parameter is read. */
export interface ParamReader<T> {
  /** Reads what the client gave. @throws InvalidValue whose message says what would be right. */
  readonly read: (value: unknown) => T
  readonly default: T
  /**
   * Where it may stand: `root` only; at every node, where what is given above also holds below (`inherit`);
   * or at every node, each for itself (`own`). Default `root`.
   */
  readonly scope?: 'root' | 'inherit' | 'own'
}

/** Messages among the processes that share a database. */
export interface Channel<M> {
  /** Sends to every process, this one included: at once or, given a transaction, when that is committed. */
  publish(message: M, db?: Queryable): Promise<void>
}

/** What a plugin's `setup` gets: everything that it may declare, under its own name. */
export interface PluginHost {
  /** Name of the plugin, for messages. */
  readonly plugin: string
  readonly logger: Logger
  /** Runs at the named moment; order among plugins is that of `before` and `after`, then of the list. */
  hook<N extends HookName>(name: N, handler: HookHandler<N>): void
  /**
   * Makes something when the octavo starts, such as the plugin's service, in the order of `octavo:start`.
   *
   *     const service = host.start((octavo) => openService(octavo))
   *     host.hook('server:authenticate', (context) => service().authenticate(context))
   *
   * @returns a function that gives what was made. @throws PluginError from it, when the octavo has not started.
   */
  start<T>(make: (octavo: Octavo) => T | Promise<T>): () => T
  /**
   * Runs for every content-type: at the start for those that are there, and later for each that is added while running.
   * At the start a throw stops it.
   */
  forEachType(prepare: (type: ContentType, octavo: Octavo) => void | Promise<void>): void
  /**
   * Declares a table of the plugin's own, named `octavo_<something>`. It is made and grown with those of the content-types,
   * under the same rules; `tx.rows(table)` reads and writes it.
   */
  table<const C extends Readonly<Record<string, OwnColumn>>>(
    name: string,
    definition: OwnTableOptions<C>,
  ): OwnTable<OwnRow<C>>
  /**
   * Runs `work` in a transaction unless it was run before in the life of the database, by any process; for work on rows that
   * were there before the plugin. Once the octavo has started.
   *
   * @param key Names the work among the plugin's own, e.g. by the table that it changes.
   */
  once(key: string, work: (tx: Transaction) => Promise<void>): Promise<void>
  /**
   * Messages of the plugin's among all processes of the database, as JSON of at most 7,000 bytes.
   *
   * @param receive Gets each message; `undefined` when the connection was lost for a while and messages may be missing.
   */
  channel<M>(receive: (message: M | undefined) => void | Promise<void>): Channel<M>
  /** Adds an attribute type. @throws when another plugin or core has one of that name. */
  attributeType(type: AttributeType): void
  /** Adds a content-type of the plugin's own. */
  contentType(definition: ContentTypeDefinition): void
  component(definition: ComponentDefinition): void
  /** Declares a query parameter; without a declaration nothing of it reaches a plan. */
  param<T>(name: string, reader: ParamReader<T>): Param<T>
  /** Declares what read hooks may depend on; it becomes part of the statement cache's key. */
  fact(name: string, of: (state: RequestState) => string): Fact
  /** Declares a value that is filled in when the statement runs, so that one cached statement serves all callers. */
  runtimeValue(name: string, of: (state: RequestState) => string | number | boolean | null): RuntimeValue
  /** Handles one section of an import or export file, e.g. `locales`. */
  section(name: string, handler: SectionHandler): void
  /**
   * The state with which the plugin reads and writes for itself, whoever asks; without it, it has the rights of the caller
   * whose state it passes on. In `setup` alone: what a plugin does so, and why, is logged at start.
   * @throws Error without a reason, and when setup is over.
   */
  unrestricted(reason: string): RequestState
  /**
   * Declares the actions that the plugin's routes ask for, so that permissions can name them, and the limits of a
   * permission that each enforces.
   *
   *     host.actions(() => [{ name: 'plugin::forms.form.find', entries: { type: 'plugin::forms.form', as: 'find' }, enforces: allLimits }])
   */
  actions(source: ActionSource): void
  /** Adds a command to the command line, by its words: `media check`. */
  command(words: string, command: OperatorCommand): void
}

export interface Plugin {
  /** Unique, kebab-case. */
  readonly name: string
  /** Runs before these, when they are present. */
  readonly before?: readonly string[]
  /** Runs after these, when they are present. */
  readonly after?: readonly string[]
  /** Must be present; start fails without them. Implies `after`. */
  readonly requires?: readonly string[]
  /**
   * What happens to a database that was used with the plugin when it is used without it, as a phrase: `drafts become
   * visible`. Such a start is refused with this phrase, unless `withoutPlugin` names the plugin. Default: nothing happens.
   */
  readonly guards?: string
  readonly setup: (octavo: PluginHost) => void
}

/** A plugin is a value made by a function of its options; this gives it its type, and notes which copy of core it uses. */
export const definePlugin = (plugin: Plugin): Plugin => withCopy(plugin)
