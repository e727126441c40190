import type {
  Logger,
  OwnColumn,
  OwnRow,
  OwnTable,
  OwnTableOptions,
  Queryable,
  Sql,
  Transaction,
} from '@octavo/database'
import type { AttributeType } from '../content-type/attribute-type.ts'
import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition/definition.ts'
import type { ContentType } from '../content-type/model.ts'
import type { HookHandler, HookName, WriteHook } from '../hooks/hooks.ts'
import type { Fact, Param } from '../hooks/read-hooks.ts'
import type { Octavo, OperatorCommand } from '../octavo.ts'
import type { FilterOperator } from '../operator/added.ts'
import type { RuntimeValue } from '../plan/plan.ts'
import type { ActionSource } from '../plugin/actions.ts'
import type { ParamReader } from '../plugin/param-reader.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { SectionHandler } from '../plugin/section.ts'
import type { WriteFilter } from '../plugin/write-event.ts'
import { withCopy } from './copy.ts'

/** Messages among the processes that share a database. */
export interface Channel<M> {
  /** Sends to every process, this one included: at once or, given a transaction, when that is committed. */
  publish(message: M, db?: Queryable): Promise<void>
  /**
   * An SQL expression that sends a message when its transaction is committed, for a statement of `entry:statements`:
   *
   *     sql`select ${channel.sending(null)} from ${written} as "w"`
   */
  sending(message: M): Sql
}

/** The argument of a plugin's `setup`: everything that a plugin can declare. */
export interface PluginHost {
  /** Name of the plugin, for messages. */
  readonly plugin: string
  /** Writes to the log in the name of the plugin: `host.logger.info({ id }, 'An article is gone')`. */
  readonly logger: Logger
  /**
   * Adds a handler of a hook. Handlers run in plugin order: `before` and `after`, then the order of the list.
   * @param filter The writes that a handler of a hook `entry:…` is for. Default: all, and the handler uses the database.
   */
  hook<N extends HookName>(
    name: N,
    handler: HookHandler<N>,
    filter?: N extends WriteHook ? WriteFilter : never,
  ): void
  /**
   * Creates a value at start, such as the plugin's service, as a handler of `octavo:start`.
   *
   *     const service = host.start((octavo) => openService(octavo))
   *     host.hook('server:authenticate', (context) => service().authenticate(context))
   *
   * @returns a function that returns the value, and throws PluginError before the start.
   */
  start<T>(make: (octavo: Octavo) => T | Promise<T>): () => T
  /**
   * Runs for every content-type: at start for the existing ones, later for each content-type that is added at runtime.
   * An error at start stops the start.
   */
  forEachType(prepare: (type: ContentType, octavo: Octavo) => void | Promise<void>): void
  /**
   * Declares a table of the plugin, named `octavo_<something>`. The schema update creates and extends it together with the
   * tables of content-types, under the same rules; `tx.rows(table)` reads and writes it.
   */
  table<const C extends Readonly<Record<string, OwnColumn>>>(
    name: string,
    definition: OwnTableOptions<C>,
  ): OwnTable<OwnRow<C>>
  /**
   * Runs `work` in a transaction, once per database and key, across all processes: for migrating existing rows. Available
   * after the start. The time limits of requests do not hold, since a table may have millions of rows.
   *
   * @param key Unique within the plugin, e.g. the table that the work changes.
   */
  once(key: string, work: (tx: Transaction) => Promise<void>): Promise<void>
  /**
   * Opens a channel between the plugin's instances in all processes of the database. Messages are JSON of at most 7,000 bytes.
   *
   * @param receive Called with each message after the start of all plugins, and with `undefined` when messages may be missing: during the start,
   *   after a lost connection, and when `receive` failed. A failed `receive` is called again after a second, and then ever more rarely.
   */
  channel<M>(receive: (message: M | undefined) => void | Promise<void>): Channel<M>
  /** Adds an attribute type. @throws PluginError when the name belongs to core or to another plugin. */
  attributeType(type: AttributeType): void
  /** Adds a content-type. */
  contentType(definition: ContentTypeDefinition): void
  /** Adds a component. */
  component(definition: ComponentDefinition): void
  /** Declares a query parameter. Undeclared parameters are ignored. */
  param<T>(name: string, reader: ParamReader<T>): Param<T>
  /**
   * Adds an operator to `filters`, for the attribute types that it names: `filters[location][$near]=52.52,13.405,5000`.
   * `AddedOperators` gives its operand to the types of queries.
   *
   *     host.operator('$near', { on: ['geo-point'], meaning: '…', example: '…', read: readCircle, sql: isWithin })
   *
   * @param name Begins with `$`.
   * @throws PluginError when the name belongs to core or to another plugin
   */
  operator<const N extends `$${string}`, T>(name: N, operator: FilterOperator<T, N>): void
  /** Declares a property of requests that read hooks depend on; it is part of the statement cache's key. */
  fact(name: string, of: (state: RequestState) => string): Fact
  /** Declares a value that is bound when the statement runs, so that all callers share one cached statement. */
  runtimeValue(name: string, of: (state: RequestState) => string | number | boolean | null): RuntimeValue
  /** Handles one section of an import or export file, e.g. `locales`. */
  section(name: string, handler: SectionHandler): void
  /**
   * The state that gives the plugin unrestricted access, independent of the caller. With any other state the plugin has the
   * rights of the caller. Only available in `setup`; the reasons are logged at start.
   * @throws Error when the reason is empty, and after `setup`.
   */
  unrestricted(reason: string): RequestState
  /**
   * Declares the actions that the plugin's routes require, so that permissions can name them, and the limits of a
   * permission that each enforces.
   *
   *     host.actions(() => [{ name: 'plugin::forms.form.find', entries: { type: 'plugin::forms.form', as: 'find' }, enforces: allLimits }])
   */
  actions(source: ActionSource): void
  /** Adds a command to the command line, e.g. `media check`. */
  command(words: string, command: OperatorCommand): void
}

/** A plugin, as {@link definePlugin} makes one. */
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
   * The effect of leaving out the plugin on a database that was used with it, as a phrase: `drafts become visible`. A start
   * without the plugin is refused with this phrase, unless `withoutPlugin` names the plugin. Default: none.
   */
  readonly guards?: string
  /**
   * The versions of Octavo that the plugin works with, as in its package.json: `{ octavo: '>=1.2 <3' }`. A start with another
   * version is refused. Default: any version.
   */
  readonly engines?: { readonly octavo?: string }
  /** Runs once, at start, and declares all that the plugin adds. It is synchronous; `host.start` is for work that takes time. */
  readonly setup: (octavo: PluginHost) => void
}

/** Types a plugin, which is usually the result of a function of its options, and records which copy of core it uses. */
export const definePlugin = (plugin: Plugin): Plugin => withCopy(plugin)
