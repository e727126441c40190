import { OctavoError, openStore, silentLogger } from '@octavo/database'
import { type Advice, adviseIndexes, type ReadList } from '../advise/advise-indexes.ts'
import type { Registry } from '../content-type/model.ts'
import { refuseAbsentPlugins } from '../host/absent-plugins.ts'
import { defaultLimits } from '../limits.ts'
import type { Octavo } from '../octavo.ts'
import { parseQuery } from '../parse/parse-query.ts'
import { actionsOf } from '../plugin/actions.ts'
import { convertRelations, type RelationConversion } from '../schema/convert-relations.ts'
import { checkDamage, type Damage } from '../schema/damage/check-damage.ts'
import { refusedValues } from '../schema/refused-values.ts'
import { storedTypes } from '../schema/stored-types.ts'
import { tablesOf } from '../schema/tables/tables.ts'
import { checkTotals, type TotalDifference } from '../schema/totals/check-totals.ts'
import { type UnfilledAttribute, unfilledAttributes } from '../schema/unfilled-attributes.ts'
import { type SchemaUpdate, updateSchema } from '../schema/update-schema.ts'
import { usedIds } from '../schema/used-ids.ts'
import { withStoredTypes } from './added-types.ts'
import { createOctavo } from './create-octavo.ts'
import type { OctavoOptions } from './octavo-options.ts'
import { readOptions, storeOptions } from './read-options.ts'

/**
 * Validates definitions, including changes by plugins, like {@link createOctavo}; opens no database.
 * @throws PluginError or DefinitionError, with all mistakes.
 */
export const checkDefinitions = (options: OctavoOptions): Registry =>
  readOptions(options, options.logger ?? silentLogger).registry

/** The parts of an {@link Octavo} that need no database. */
export type PreparedOctavo = Pick<Octavo, 'registry' | 'hooks' | 'actions' | 'commands'>

/**
 * Runs the plugins' `setup` and builds the registry, like {@link createOctavo}; opens no database.
 * @throws PluginError or DefinitionError, with all mistakes.
 */
export function prepareOctavo(options: OctavoOptions): PreparedOctavo {
  const { registry, declared } = readOptions(options, options.logger ?? silentLogger)
  const { hooks, commands } = declared
  return { registry, hooks, commands, actions: actionsOf(registry, declared.actions) }
}

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
  const { registry, declared } = readOptions(options, options.logger ?? silentLogger)
  const { params, operators } = declared
  const limits = { ...defaultLimits, ...options.limits }
  const reads = lists.flatMap(({ route, query }): readonly ReadList[] => {
    const type = registry.byRoute(route)
    if (!type) return []
    try {
      return [{ type, query: parseQuery(query, { limits, params, operators }) }]
    } catch (error) {
      if (error instanceof OctavoError) return []
      throw error
    }
  })
  return adviseIndexes(registry, reads)
}

/**
 * Returns the changes that {@link createOctavo} would make to the tables of this database, without making them.
 * @throws PluginError, DefinitionError, SchemaError for changes that it would refuse, or ConfigurationError for data that a plugin would hide or show.
 */
export async function planSchema(options: OctavoOptions): Promise<SchemaUpdate> {
  const logger = options.logger ?? silentLogger
  const { registry: base, declared, ...prepared } = readOptions(options, logger)
  const { tables } = declared
  const limits = { ...defaultLimits, ...options.limits }
  const store = await openStore(storeOptions(options, limits, logger))
  try {
    const { plugins = [], withoutPlugin = [] } = options
    await refuseAbsentPlugins(store, { plugins, withoutPlugin }, silentLogger)
    const { registry } = withStoredTypes({ ...prepared, tables, logger }, base, await storedTypes(store))
    const update = await updateSchema(store, registry, {
      check: 'always',
      dryRun: true,
      tables,
      searchesLater: store.engine === 'postgresql',
    })
    await declared.hooks.guard('schema:check', { registry, store })
    const warnings = [
      ...update.warnings,
      ...(await refusedValues(store, registry)),
      ...(await usedIds(store, tablesOf(registry))),
    ]
    return { ...update, warnings }
  } finally {
    await store.close()
  }
}

/**
 * The attributes of content-types that are required or have a default, and that entries of this database lack. Changes nothing.
 * @throws PluginError, DefinitionError
 */
export async function findUnfilled(options: OctavoOptions): Promise<readonly UnfilledAttribute[]> {
  const logger = options.logger ?? silentLogger
  const { registry } = readOptions(options, logger)
  const store = await openStore(storeOptions(options, { ...defaultLimits, ...options.limits }, logger))
  try {
    return await unfilledAttributes(store, registry)
  } finally {
    await store.close()
  }
}

/**
 * Moves the links of relations that became another kind (many-to-one, many-to-many …) to where the new kind stores them, in
 * one transaction. A relation whose links do not fit the new kind is reported with its entries, and none of its links is moved.
 *
 * @param settings.dryRun Changes nothing. Default false: the tables are updated first, as at a start.
 * @throws PluginError, DefinitionError or SchemaError
 */
export async function convertRelationKinds(
  options: OctavoOptions,
  settings: { readonly dryRun?: boolean } = {},
): Promise<readonly RelationConversion[]> {
  const logger = options.logger ?? silentLogger
  const { registry: base, declared, ...prepared } = readOptions(options, logger)
  const { tables } = declared
  const store = await openStore(storeOptions(options, { ...defaultLimits, ...options.limits }, logger))
  try {
    const { registry } = withStoredTypes({ ...prepared, tables, logger }, base, await storedTypes(store))
    if (!settings.dryRun) await updateSchema(store, registry, { tables })
    return await convertRelations(store, registry, settings)
  } finally {
    await store.close()
  }
}

/** The results of {@link checkCounts}. */
export interface CountedContent {
  readonly totals: readonly TotalDifference[]
  readonly damage: readonly Damage[]
}

/**
 * Compares the tables of a database with themselves ({@link checkDamage}), then the kept totals (`options.totals`) with the entries.
 *
 * @param settings.repair Mends what differs, while writers wait. Default false.
 * @returns the differences, also those that were repaired.
 * @throws PluginError, DefinitionError or SchemaError
 */
export async function checkCounts(
  options: OctavoOptions,
  settings: { readonly repair?: boolean } = {},
): Promise<CountedContent> {
  const octavo = await createOctavo(options)
  try {
    const { store, registry } = octavo
    const damage = await checkDamage(store, registry, settings)
    return { damage, totals: await checkTotals(store, registry, settings) }
  } finally {
    await octavo.close()
  }
}
