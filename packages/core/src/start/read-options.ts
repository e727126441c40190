import type { Logger } from '@octavo/database'
import { defaultConnections, type OpenStoreOptions } from '@octavo/database'
import { scalarTypes } from '../content-type/attribute-types/table.ts'
import { notePlaces } from '../content-type/definition/source.ts'
import { refuseShapeless } from '../content-type/draft/shape.ts'
import type { Registry } from '../content-type/model.ts'
import { buildRegistry } from '../content-type/registry.ts'
import { definitionsOf } from '../entries/model.ts'
import { unknownFilterTypes } from '../hooks/check-write-filter.ts'
import type { Definitions } from '../hooks/definition-hooks.ts'
import { unknownReads } from '../host/added-operators.ts'
import { checkPlugin } from '../host/checked-declarations.ts'
import { withComputedAttributes } from '../host/computed-attributes.ts'
import { refuseNoPlugins, refuseOtherCopies } from '../host/copy.ts'
import { coreHooks } from '../host/lifecycle-hooks.ts'
import { refuseOtherVersions } from '../host/plugin-versions.ts'
import { type Declared, setupPlugins } from '../host/setup.ts'
import { checkOptions } from '../known-keys.ts'
import type { Limits } from '../limits.ts'
import { octavoKeys } from './octavo-keys.ts'
import type { OctavoOptions } from './octavo-options.ts'

/** The declarations of plugins and the extended definitions, validated; opens no database. */
export interface ReadOptions {
  readonly declared: Declared
  readonly definitions: Definitions
  readonly registry: Registry
  readonly build: (definitions: Definitions) => Registry
}

export function readOptions(options: OctavoOptions, logger: Logger): ReadOptions {
  // A package with its own hooks, such as the server, passes its options together with those of core.
  if (!options.hooks) checkOptions(options, octavoKeys, 'createOctavo')
  refuseNoPlugins(options.plugins ?? [])
  for (const [i, plugin] of (options.plugins ?? []).entries()) checkPlugin(plugin, `plugins[${i}]`)
  refuseOtherCopies(options.plugins ?? [])
  refuseOtherVersions(options.plugins ?? [])
  const hooks = new Map(Object.entries({ ...coreHooks, ...options.hooks }))
  const declared = setupPlugins(
    options.plugins ?? [],
    { attributeTypes: scalarTypes, hooks },
    logger,
    options.trace,
  )
  notePlaces('contentTypes', options.contentTypes)
  notePlaces('components', options.components)
  const definitions: Definitions = {
    contentTypes: [...declared.contentTypes, ...definitionsOf(options.contentTypes)],
    components: [...declared.components, ...definitionsOf(options.components)],
  }
  const build = (given: Definitions): Registry => {
    refuseShapeless(given.contentTypes, given.components)
    const { registry, warnings } = buildRegistry({
      ...withComputedAttributes(declared.hooks.transform('definitions:extend', given), declared.hooks),
      attributeTypes: declared.attributeTypes,
      absentTypes: options.absentTypes ?? {},
      privateAttributes: options.privateAttributes ?? [],
    })
    for (const warning of warnings) logger.warn({}, warning)
    return registry
  }
  const registry = build(definitions)
  const doubts = [
    ...unknownFilterTypes(declared.hooks.filterTypes(), registry),
    ...unknownReads(declared.operators, registry),
  ]
  for (const sentence of doubts) logger.warn({}, sentence)
  return { declared, definitions, registry, build }
}

export const storeOptions = (
  {
    database = 'memory://',
    directDatabase,
    connections = defaultConnections,
    replicas = [],
    durability,
  }: OctavoOptions,
  limits: Limits,
  logger: Logger,
): OpenStoreOptions => ({ database, directDatabase, connections, replicas, durability, limits, logger })
