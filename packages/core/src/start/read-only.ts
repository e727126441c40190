import { ConfigurationError, OctavoError, type Store, sql } from '@octavo/database'

/** Names the reason why the database refused the writes of a start. Other errors stay as they are, and so does this one if the database does not tell the reason. */
export async function withReadOnlySetting(error: unknown, store: Store): Promise<unknown> {
  if (!(error instanceof OctavoError) || error.code !== 'database/read-only') return error
  const [found] = await store.run(reason).catch(() => [])
  if (!found) return error
  const { database, user, standby, source } = found
  return new ConfigurationError(
    `The database "${database}" refuses writes of the user "${user}", and a start writes: ` +
      (standby === null
        ? `default_transaction_read_only is on (source: ${source}). Turn it off, or give another user.`
        : 'its server is a standby. Give the address of the primary, or those of all servers.'),
    { cause: error },
  )
}

const reason = sql`select current_database() as "database", current_user as "user", case when pg_is_in_recovery() then 'standby' end as "standby", source from pg_settings where name = 'default_transaction_read_only'`
