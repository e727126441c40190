import type { Logger } from '../logger.ts'

/**
 * What MikroORM is told on either engine. It starts without entities: tables come from `updateSchema`, and who wants
 * the unit of work gives it some, `orm.discoverEntity([...entitiesOf(tablesOf(registry))])`.
 */
export const ormOptions = (logger: Logger) => ({
  entities: [],
  discovery: { warnWhenNoEntities: false },
  logger: (message: string) => logger.debug({}, message),
  colors: false,
})
