import { type DriverError, type OctavoError, refusedKey, sqlState } from '@octavo/database'
import type { Model, Registry } from '../content-type/model.ts'
import { notUnique } from '../error/entry-problems.ts'
import { problem } from '../error/problems.ts'
import { isOwnForeignKey } from '../schema/tables/object-names.ts'

/**
 * Translates refusals of the database to a 400: changes by a concurrent transaction, values that are too long for an index, and constraints and triggers
 * that others have added to the tables. Returns other errors.
 * @param warn Logs the name of a rule that others have added, which no answer has.
 */
export function refusedByDatabase(
  error: unknown,
  registry: Registry,
  warn: (message: string) => void,
): unknown {
  const state = sqlState(error)
  if (state === undefined) return error
  const refusal = error as DriverError // safe: only errors of drivers have a state
  if (state === '23505') {
    const path = attributeOf(refusal, registry)
    return invalid(notUnique, path ? [path] : [], error)
  }
  if (state === '23503' && isOwnForeignKey(refusal.constraint ?? ''))
    return invalid('A relation is associated with an entity that does not exist', [], error)
  // PostgreSQL compresses values first, so no check could tell.
  if (state === '54000')
    return invalid('A value is too long for an index, which takes 2,696 bytes, compressed', [], error)
  if (!ofRules.test(state)) return error
  warn(`The database refused a write with ${state}: ${ruleOf(refusal)}, which Octavo did not make.`)
  return invalid('A rule that was added to the database refuses this write', [], error)
}

/** Class 23 is that of constraints; 44000 is the check of a view, and P0001 what the function of a trigger raises by default. */
const ofRules = /^(23...|44000|P0001)$/

/** The name of the rule that refused a write. The message and the detail of the error may have values of the row, so the log has neither. */
function ruleOf({ constraint, table, column, where }: DriverError): string {
  const place = table === undefined ? '' : ` of "${table}"`
  if (constraint !== undefined) return `constraint "${constraint}"${place}`
  if (column !== undefined) return `NOT NULL of the column "${column}"${place}`
  return where?.split('\n')[0] ?? 'a trigger'
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
