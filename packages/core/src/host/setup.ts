import type { Logger } from '@octavo/database'
import { ConfigurationError, defineOwnTable, type OwnTable } from '@octavo/database'
import type { AttributeType } from '../content-type/attribute-type.ts'
import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition/definition.ts'
import { thrownText } from '../hooks/hook-answers.ts'
import type { HookRow } from '../hooks/hook-row.ts'
import { HookRunner } from '../hooks/hook-runner.ts'
import type { ReadDeclarations } from '../hooks/read-declarations.ts'
import { kindOf } from '../kinds-of-values.ts'
import type { OperatorCommand } from '../octavo.ts'
import type { AddedOperator } from '../operator/added.ts'
import { operators } from '../operator/table.ts'
import { groupOperators } from '../parse/filters.ts'
import { ownParameters } from '../parse/parse-query.ts'
import type { RuntimeValue } from '../plan/plan.ts'
import type { ActionSource } from '../plugin/actions.ts'
import type { ParamReader } from '../plugin/param-reader.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { SectionHandler } from '../plugin/section.ts'
import { unrestricted } from '../plugin/unrestricted.ts'
import { answersTable } from '../repeat/stored-answers.ts'
import { processesTable } from '../schema/processes.ts'
import { type Trace, untraced } from '../trace.ts'
import { addedAttributeType } from './added-attribute-types.ts'
import { addedOperator, checkOperatorTypes } from './added-operators.ts'
import type { ChannelEnd } from './channel.ts'
import {
  blamed,
  checkCommand,
  checkedActions,
  checkedDefinition,
  checkedValue,
  requireNow,
} from './checked-declarations.ts'
import { Declarations } from './declarations.ts'
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
  readonly channels: readonly ChannelEnd[]
  /** The reasons for unrestricted access: `users-permissions: reason`. */
  readonly unrestricted: readonly string[]
}

/** Sections of core, which plugins cannot declare. */
const ownSections = ['entries']

interface Own {
  readonly attributeTypes: ReadonlyMap<string, AttributeType>
  readonly hooks: ReadonlyMap<string, HookRow>
}

/**
 * Runs the plugins' `setup` in order and collects their declarations.
 * @throws PluginError naming both plugins when two declare the same name.
 */
export function setupPlugins(
  plugins: readonly Plugin[],
  own: Own,
  logger: Logger,
  trace: Trace = untraced,
): Declared {
  const collected = collectionOf(own, logger, trace)
  let isOver = false
  for (const plugin of orderPlugins(plugins)) {
    runSetup(
      plugin,
      availableInSetup(hostOf(plugin.name, collected, logger), () => isOver),
    )
  }
  isOver = true
  checkOperatorTypes(collected.operators.values, [...collected.attributeTypes.values.keys()])
  const { hooks, contentTypes, components, actions, channels, unrestricted } = collected
  return {
    hooks,
    attributeTypes: collected.attributeTypes.values,
    contentTypes,
    components,
    params: collected.params.values,
    operators: collected.operators.values,
    facts: collected.facts.values,
    runtimeValues: collected.runtimeValues.values,
    sections: collected.sections.values,
    tables: [answersTable, processesTable, ...collected.tables.values.values()],
    commands: collected.commands.values,
    actions,
    channels,
    unrestricted,
  }
}

type Collection = ReturnType<typeof collectionOf>

/** Empty collections for the declarations of plugins, with the names of core reserved. */
function collectionOf(own: Own, logger: Logger, trace: Trace) {
  const params = new Declarations<ParamReader<unknown>>('query parameter', [])
  const sections = new Declarations<SectionHandler>('section', [])
  for (const name of ownParameters) params.reserve(name)
  for (const name of ownSections) sections.reserve(name)
  const addedOperators = new Declarations<AddedOperator>('filter operator', [])
  for (const name of [...Object.keys(operators), ...groupOperators]) addedOperators.reserve(name)
  return {
    hooks: new HookRunner(own.hooks, logger, trace),
    attributeTypes: new Declarations<AttributeType>('attribute type', own.attributeTypes.entries()),
    params,
    operators: addedOperators,
    facts: new Declarations<(state: RequestState) => string>('fact', []),
    runtimeValues: new Declarations<(state: RequestState) => string | number | boolean | null>(
      'runtime value',
      [],
    ),
    sections,
    tables: new Declarations<OwnTable>('table', []),
    commands: new Declarations<OperatorCommand>('command', []),
    contentTypes: [] as ContentTypeDefinition[],
    components: [] as ComponentDefinition[],
    actions: [] as ActionSource[],
    channels: [] as ChannelEnd[],
    /** The reasons for unrestricted access: `users-permissions: reason`. */
    unrestricted: [] as string[],
  }
}

/** The host of a plugin, which adds its declarations to the collections. */
function hostOf(plugin: string, collected: Collection, logger: Logger): PluginHost {
  const { hooks } = collected
  return {
    plugin,
    logger: logger.child({ plugin }),
    hook: (name, handler, filter) => hooks.add(plugin, name, handler, filter),
    ...runningHost(plugin, hooks, logger, collected.channels),
    table: (name, definition) => {
      const table = defineOwnTable(name, definition)
      collected.tables.claim(plugin, name, table)
      return table
    },
    attributeType: (type) => {
      const added = addedAttributeType(plugin, type)
      collected.attributeTypes.claim(plugin, added.name, added)
    },
    contentType: (definition) =>
      void collected.contentTypes.push(checkedDefinition(plugin, 'contentType', definition)),
    component: (definition) =>
      void collected.components.push(checkedDefinition(plugin, 'component', definition)),
    param: (name, reader) => {
      const what = `the reader of the query parameter "${name}"`
      requireNow(plugin, what, reader?.read)
      const read = (value: unknown) => blamed(plugin, what, () => reader.read(value))
      collected.params.claim(plugin, name, { ...reader, read })
      return { name }
    },
    operator: (name, operator) =>
      collected.operators.claim(plugin, name, addedOperator(plugin, name, operator)),
    fact: (name, of) => {
      collected.facts.claim(plugin, name, checkedValue(plugin, `the fact "${name}"`, of, factValue))
      return { name }
    },
    runtimeValue: (name, of): RuntimeValue => {
      const checked = checkedValue(plugin, `the runtime value "${name}"`, of, boundValue)
      collected.runtimeValues.claim(plugin, name, checked)
      return { name }
    },
    section: (name, handler) => collected.sections.claim(plugin, name, handler),
    actions: (source) => void collected.actions.push(checkedActions(plugin, source)),
    command: (words, command) => {
      checkCommand(plugin, words, command)
      collected.commands.claim(plugin, words, command)
    },
    unrestricted: (reason) => {
      if (typeof reason !== 'string')
        throw new PluginError(plugin, undefined, `host.unrestricted takes a reason, not ${kindOf(reason)}`)
      const state = unrestricted(reason)
      collected.unrestricted.push(`${plugin}: ${reason}`)
      return state
    },
  }
}

const factValue = { expected: 'a text', accepts: (value: unknown) => typeof value === 'string' }
const boundValue = {
  expected: 'a text, a number, a boolean or null',
  accepts: (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value),
}

/** @throws PluginError when `setup` throws or is async. */
function runSetup(plugin: Plugin, host: PluginHost): void {
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
    throw new PluginError(plugin.name, 'setup', thrownText(error), error)
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
  // Both have the same names with the same types.
  return Object.fromEntries(properties) as PluginHost
}
