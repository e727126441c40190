import type { AttributeType } from '../content-type/attribute-type.ts'
import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition.ts'
import { ConfigurationError } from '../error/configuration-error.ts'
import type { Logger } from '../logger.ts'
import type { OperatorCommand } from '../octavo.ts'
import type { RuntimeValue } from '../plan/plan.ts'
import type { ActionSource } from '../plugin/actions.ts'
import type { HookRow } from '../plugin/hook-row.ts'
import { HookRunner } from '../plugin/hook-runner.ts'
import type { ParamReader } from '../plugin/param-reader.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type { ReadDeclarations } from '../plugin/read-declarations.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { SectionHandler } from '../plugin/section.ts'
import { unrestricted } from '../plugin/unrestricted.ts'
import { defineOwnTable, type OwnTable } from '../rows/own-table.ts'
import { type Trace, untraced } from '../trace.ts'
import type { Plugin, PluginHost } from './define.ts'
import { orderPlugins } from './order.ts'
import { runningHost } from './running-host.ts'

/** Everything that the plugins of a server declared. */
export interface Declared extends ReadDeclarations {
  readonly attributeTypes: ReadonlyMap<string, AttributeType>
  readonly contentTypes: readonly ContentTypeDefinition[]
  readonly components: readonly ComponentDefinition[]
  readonly sections: ReadonlyMap<string, SectionHandler>
  readonly tables: readonly OwnTable[]
  readonly commands: ReadonlyMap<string, OperatorCommand>
  readonly actions: readonly ActionSource[]
  /** The reasons for unrestricted access: `users-permissions: reason`. */
  readonly unrestricted: readonly string[]
}

/** Query parameters of core, which plugins cannot declare. */
const ownParams = ['sort', 'pagination', 'fields', 'populate', 'filters', '_q']
const ownSections = ['entries']

/**
 * Runs the plugins' `setup` in order and collects their declarations.
 * @throws PluginError naming both plugins when two declare the same name.
 */
export function setupPlugins(
  plugins: readonly Plugin[],
  own: {
    readonly attributeTypes: ReadonlyMap<string, AttributeType>
    readonly hooks: ReadonlyMap<string, HookRow>
  },
  logger: Logger,
  trace: Trace = untraced,
): Declared {
  const hooks = new HookRunner(own.hooks, logger, trace)
  const attributeTypes = new Declarations<AttributeType>('attribute type', own.attributeTypes.entries())
  const params = new Declarations<ParamReader<unknown>>('query parameter', [])
  const facts = new Declarations<(state: RequestState) => string>('fact', [])
  const runtimeValues = new Declarations<(state: RequestState) => string | number | boolean | null>(
    'runtime value',
    [],
  )
  const sections = new Declarations<SectionHandler>('section', [])
  const tables = new Declarations<OwnTable>('table', [])
  const commands = new Declarations<OperatorCommand>('command', [])
  for (const name of ownParams) params.reserve(name)
  for (const name of ownSections) sections.reserve(name)
  const contentTypes: ContentTypeDefinition[] = []
  const components: ComponentDefinition[] = []
  const actions: ActionSource[] = []
  const reasons: string[] = []
  let isOver = false

  for (const plugin of orderPlugins(plugins)) {
    const declaring: PluginHost = {
      plugin: plugin.name,
      logger: logger.child({ plugin: plugin.name }),
      hook: (name, handler) => hooks.add(plugin.name, name, handler),
      ...runningHost(plugin.name, hooks, logger),
      table: (name, definition) => {
        const table = defineOwnTable(name, definition)
        tables.claim(plugin.name, name, table)
        return table
      },
      attributeType: (type) => attributeTypes.claim(plugin.name, type.name, type),
      contentType: (definition) => void contentTypes.push(definition),
      component: (definition) => void components.push(definition),
      param: (name, reader) => {
        params.claim(plugin.name, name, reader)
        return { name }
      },
      fact: (name, of) => {
        facts.claim(plugin.name, name, of)
        return { name }
      },
      runtimeValue: (name, of): RuntimeValue => {
        runtimeValues.claim(plugin.name, name, of)
        return { name }
      },
      section: (name, handler) => sections.claim(plugin.name, name, handler),
      actions: (source) => void actions.push(source),
      command: (words, command) => commands.claim(plugin.name, words, command),
      unrestricted: (reason) => {
        const state = unrestricted(reason)
        reasons.push(`${plugin.name}: ${reason}`)
        return state
      },
    }
    const host = availableInSetup(declaring, () => isOver)
    try {
      // Typed as returning nothing; `async` functions are assignable to it.
      const result: unknown = plugin.setup(host)
      if (result instanceof Promise) {
        result.catch(() => {}) // the error below takes the place of its own
        throw new Error(
          'setup is async, and the start does not wait for it; use host.start for work that takes time',
        )
      }
    } catch (error) {
      if (error instanceof PluginError || error instanceof ConfigurationError) throw error
      throw new PluginError(
        plugin.name,
        'setup',
        error instanceof Error ? error.message : String(error),
        error,
      )
    }
  }
  isOver = true
  return {
    hooks,
    attributeTypes: attributeTypes.values,
    contentTypes,
    components,
    params: params.values,
    facts: facts.values,
    runtimeValues: runtimeValues.values,
    sections: sections.values,
    tables: [...tables.values.values()],
    commands: commands.values,
    actions,
    unrestricted: reasons,
  }
}

/**
 * The host, whose methods throw a PluginError when they are called after the setup of all plugins: the declaration would have
 * no effect. `once` alone is for later.
 */
function availableInSetup(host: PluginHost, isOver: () => boolean): PluginHost {
  const properties = Object.entries(host).map(([name, value]) => {
    if (typeof value !== 'function' || name === 'once') return [name, value]
    const method = (...args: readonly unknown[]): unknown => {
      if (isOver())
        throw new PluginError(
          host.plugin,
          undefined,
          `host.${name} was called after setup; it is only available in setup`,
        )
      return value(...args)
    }
    return [name, method]
  })
  // The same names with the same types.
  return Object.fromEntries(properties) as PluginHost
}

/** Declarations of one kind by name. @throws PluginError from `claim` for a name that has an owner. */
class Declarations<T> {
  readonly values: Map<string, T>
  readonly #what: string
  readonly #owner = new Map<string, string>()

  constructor(what: string, own: Iterable<readonly [string, T]>) {
    this.#what = what
    this.values = new Map(own)
    for (const name of this.values.keys()) this.reserve(name)
  }

  reserve(name: string): void {
    this.#owner.set(name, 'core')
  }

  claim(plugin: string, name: string, value: T): void {
    const owner = this.#owner.get(name)
    if (owner !== undefined) {
      const whose = owner === 'core' ? 'core' : `the plugin "${owner}"`
      throw new PluginError(plugin, undefined, `the ${this.#what} "${name}" already belongs to ${whose}`)
    }
    this.#owner.set(name, plugin)
    this.values.set(name, value)
  }
}
