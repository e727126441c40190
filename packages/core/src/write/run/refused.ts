import { type DriverError, type OctavoError, refusedKey, sqlState } from '@octavo/database'
import type { Model, Registry } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import { notUnique } from '../check/unique.ts'

/** Translates to a 400 what passes the checks: what a concurrent transaction changed, and values that no index takes. Returns other errors. */
export function refusedByDatabase(error: unknown, registry: Registry): unknown {
  switch (sqlState(error)) {
    case '23505': {
      const path = attributeOf(error as DriverError, registry)
      return invalid(notUnique, path ? [path] : [], error)
    }
    case '23503':
      return invalid('A relation is associated with an entity that does not exist', [], error)
    case '54000':
      // PostgreSQL compresses values first, so no check could tell.
      return invalid('A value is too long for an index, which takes 2,696 bytes, compressed', [], error)
    default:
      return error
  }
}

function invalid(message: string, path: readonly string[], cause: unknown): OctavoError {
  const errors = [{ path, message, name: 'ValidationError' }]
  return problem('entry/invalid', { errors }, { details: { errors }, cause })
}

/** The attribute of the first column of a refused key, which a locale may follow. The driver's message is never sent to clients. */
function attributeOf(error: DriverError, registry: Registry): string | undefined {
  const column = refusedKey(error)?.columns[0]
  const models: readonly Model[] = [...registry.contentTypes.values(), ...registry.components.values()]
  const model = models.find(({ table }) => table === error.table)
  return [...(model?.attributes.values() ?? [])].find(
    (attribute) => attribute.kind === 'scalar' && attribute.column === column,
  )?.name
}
