import type { Model, Registry } from '../content-type/model.ts'
import type { OctavoError } from '../error/octavo-error.ts'
import { problem } from '../error/problems.ts'
import { type DriverError, sqlState } from '../store/database-error.ts'

/**
 * What the database refused although the checks had passed, since another transaction came between: the same 400 as
 * the checks would give. Any other error stays as it is.
 */
export function refusedByDatabase(error: unknown, registry: Registry): unknown {
  switch (sqlState(error)) {
    case '23505': {
      const path = attributeOf(error as DriverError, registry)
      return invalid('This attribute must be unique', path ? [path] : [], error)
    }
    case '23503':
      return invalid('A relation is associated with an entity that does not exist', [], error)
    default:
      return error
  }
}

function invalid(message: string, path: readonly string[], cause: unknown): OctavoError {
  const errors = [{ path, message, name: 'ValidationError' }]
  return problem('entry/invalid', { errors }, { details: { errors }, cause })
}

/** `detail` is `Key (slug)=(x) already exists.` in either engine, `Key (slug, locale)=…` where it is unique within another; the message of the driver itself is never shown. */
function attributeOf(
  error: DriverError & { readonly detail?: string },
  registry: Registry,
): string | undefined {
  const column = /^Key \("?([^",)=]+)/.exec(error.detail ?? '')?.[1]
  const models: readonly Model[] = [...registry.contentTypes.values(), ...registry.components.values()]
  const model = models.find(({ table }) => table === error.table)
  return [...(model?.attributes.values() ?? [])].find(
    (attribute) => attribute.kind === 'scalar' && attribute.column === column,
  )?.name
}
