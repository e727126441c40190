import { ConfigurationError, OctavoError, type Store } from '@octavo/database'

/**
 * Names the reason why the database refused the writes of a start. Other errors, and the reason of a database that does not answer the question for it, stay
 * as they are.
 */
export async function withReadOnlySetting(error: unknown, store: Store): Promise<unknown> {
  if (!(error instanceof OctavoError) || error.code !== 'database/read-only') return error
  const rows = await store.query(reasonOf).catch(() => [])
  const [database, user, isStandby, source] = rows[0] ?? []
  if (database === undefined) return error
  return new ConfigurationError(
    `The database "${database}" refuses writes of the user "${user}", and a start writes: ` +
      (isStandby === 't'
        ? 'its server is a standby. Give the address of the primary, or those of all servers.'
        : `default_transaction_read_only is on (source: ${source}). Turn it off, or give another user.`),
    { cause: error },
  )
}

const reasonOf =
  "select current_database(), current_user, pg_is_in_recovery(), source from pg_settings where name = 'default_transaction_read_only'"
