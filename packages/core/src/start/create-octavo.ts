import { openStore, silentLogger } from '@octavo/database'
import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition/definition.ts'
import type { ComponentList, ContentTypeList, ModelOf } from '../entries/model.ts'
import { checkComputed } from '../execute/check-computed.ts'
import { checkOperators } from '../execute/check-operators.ts'
import { notePlugins, refuseAbsentPlugins } from '../host/absent-plugins.ts'
import { defaultLimits } from '../limits.ts'
import type { TypedOctavo } from '../octavo.ts'
import { Cursors } from '../resolve/cursor.ts'
import type { RestDefaults } from '../resolve/rest-defaults.ts'
import { refuseLaterLayout } from '../schema/layout.ts'
import { cursorSecret } from '../schema/notes.ts'
import { Processes } from '../schema/processes.ts'
import { renamesOf } from '../schema/renames/declared-renames.ts'
import { contractRenames } from '../schema/renames/rolling-renames.ts'
import { storedTypes } from '../schema/stored-types.ts'
import { fingerprintOf, tablesOf } from '../schema/tables/tables.ts'
import { updateSchema } from '../schema/update-schema.ts'
import { unknownNamesOf } from '../unknown-names.ts'
import { withStoredTypes } from './added-types.ts'
import type { OctavoOptions } from './octavo-options.ts'
import { withReadOnlySetting } from './read-only.ts'
import { readOptions, storeOptions } from './read-options.ts'
import { RunningOctavo } from './running-octavo.ts'

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
  const { registry: base, ...prepared } = readOptions(options, logger)
  const limits = { ...defaultLimits, ...options.limits }
  const store = await openStore(storeOptions(options, limits, logger))
  const rest = { ...restDefaults, ...options.rest }
  const { tables } = prepared.declared
  const processes = new Processes(store, fingerprintOf(tablesOf(base, tables), renamesOf(base)), logger)
  try {
    // Before anything that it has stored is read.
    await refuseLaterLayout(store)
    const list = { plugins: options.plugins ?? [], withoutPlugin: options.withoutPlugin ?? [] }
    await refuseAbsentPlugins(store, list, logger)
    // Before the comparison, so that no other process renames what this one is about to use.
    await processes.announce()
    const current = withStoredTypes({ ...prepared, tables, logger }, base, await storedTypes(store))
    const { statements, warnings, isFirst } = await updateSchema(store, current.registry, {
      tables,
      processes,
      searchesLater: store.engine === 'postgresql',
      onWait: (on) =>
        logger.info(
          {},
          on === 'process'
            ? 'The start waits for another process, which changes the tables of this database'
            : 'The start waits for transactions that use the tables it changes, such as a backup; requests go on meanwhile',
        ),
    })
    // All of the first start's statements make new tables, which would bury the lines of that start.
    if (statements.length > 0 && !isFirst)
      logger.info({ statements }, 'The start changed the tables of the database')
    for (const warning of warnings) logger.warn({}, warning)
    await checkComputed(current.registry, store)
    await checkOperators(prepared.declared.operators, current.registry, store)
    await notePlugins(store, list)
    const cursors = new Cursors(await cursorSecret(store))
    const octavo = new RunningOctavo(
      {
        ...prepared,
        ...{ base, limits, logger, store, rest, cursors, processes },
        trace: options.trace,
        unknownNames: unknownNamesOf(options.strict),
        command: options.command,
      },
      current,
    )
    await octavo.start()
    // Before the first read, which must know what is not complete.
    await octavo.makeSearches()
    await processes.follow(async () => {
      const isSearchDue = await octavo.makeSearches()
      return (await contractRenames(store, octavo.registry, processes)) || isSearchDue
    })
    // Safe: the registry was built from the model's definitions.
    return octavo as unknown as TypedOctavo<ModelOf<T, C>>
  } catch (error) {
    const reason = await withReadOnlySetting(error, store)
    await processes.stop()
    await store.close()
    throw reason
  }
}

/** Source: docs/contract/reading.md#pagination; except for the maximum. */
const restDefaults: RestDefaults = {
  defaultLimit: 25,
  maxLimit: 100,
  withCount: true,
  estimateCountAbove: undefined,
}
