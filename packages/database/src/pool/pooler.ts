import { randomUUID } from 'node:crypto'
import type { ClientBase, Submittable } from 'pg'
import { ConfigurationError } from '../error/configuration-error.ts'
import { requiredSettings } from '../store/engine.ts'

/**
 * A pooler such as PgBouncer in transaction mode gives a client another connection of the server for every transaction. Named
 * statements, session settings and `listen` belong to a connection of the server, so there
 *
 * - the settings have to be those of the role, and are checked instead of set;
 * - statements are named only if the pooler keeps track of them;
 * - notifications need a direct connection: the option `directDatabase`.
 */
export class Pooler {
  /** The values that the settings must have; `undefined` for a connection whose settings do not matter. */
  readonly #statementTime: number | undefined
  #tracksNames: boolean | undefined
  #isChecked = false
  readonly #unnamed = new WeakSet<ClientBase>()

  /** @param statementTime Milliseconds; the required `statement_timeout`. Default: the settings are not checked. */
  constructor(statementTime?: number) {
    this.#statementTime = statementTime
  }

  /**
   * Prepares a new connection. @returns false for a direct one, which has to be given its settings.
   * @throws ConfigurationError when the settings of the role differ.
   */
  async accepts(client: ClientBase): Promise<boolean> {
    if (!(await isPooled(client))) return false
    await this.#checkSettings(client)
    this.#tracksNames ??= await tracksNames(client)
    if (!this.#tracksNames) this.#unnamed.add(client)
    return true
  }

  /** Whether statements of a connection may be named. */
  mayName(client: ClientBase): boolean {
    return !this.#unnamed.has(client)
  }

  async #checkSettings(client: ClientBase): Promise<void> {
    if (this.#isChecked || this.#statementTime === undefined) return
    const required: Readonly<Record<string, string>> = {
      ...requiredSettings,
      lock_timeout: '0',
      transaction_timeout: '0',
      statement_timeout: `${this.#statementTime}`,
    }
    const { rows } = await client.query<{ name: string; setting: string; role: string; database: string }>(
      'select name, setting, current_user as role, current_database() as database from pg_settings where name = any($1)',
      [Object.keys(required)],
    )
    const wrong = rows.filter(({ name, setting }) => {
      return setting !== required[name] && !(name === 'DateStyle' && setting.startsWith('ISO'))
    })
    if (wrong.length > 0) throw new ConfigurationError(missingSettings(wrong, required))
    this.#isChecked = true
  }
}

interface WrongSetting {
  readonly name: string
  readonly setting: string
  readonly role: string
  readonly database: string
}

function missingSettings(wrong: readonly WrongSetting[], required: Readonly<Record<string, string>>): string {
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
  const { role = '', database = '' } = wrong[0] ?? {}
  const found = wrong.map(({ name, setting }) => `${name} is ${setting}`).join(', ')
  const changes = wrong.map(
    ({ name }) =>
      `alter role ${quoted(role)} in database ${quoted(database)} set ${name} to '${required[name]}';`,
  )
  return (
    'The database is behind a pooler, through which settings cannot be made for a session, so they must be those of the ' +
    `role. ${found}. Run these statements, and then RECONNECT in the pooler:\n${changes.join('\n')}`
  )
}

/** Whether a connection goes through a pooler, which gives its clients keys of its own. */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  // pg sets the field and does not declare it.
  return rows[0]?.pid !== (client as unknown as { readonly processID: number | null }).processID
}

/**
 * Whether a pooler keeps track of named statements (PgBouncer 1.21 and later with `max_prepared_statements`): it names them
 * differently at the server. Otherwise the name belongs to the connection of the server that ran the statement.
 */
async function tracksNames(client: ClientBase): Promise<boolean> {
  const name = `octavo_probe_${randomUUID().replaceAll('-', '')}`
  // One transaction, so that all of it runs on one connection of the server.
  await client.query('begin')
  try {
    await client.query({ name, text: 'select 1' })
    const { rows } = await client.query('select 1 from pg_prepared_statements where name = $1', [name])
    await closeStatements(client, [name])
    return rows.length === 0
  } finally {
    await client.query('rollback')
  }
}

/**
 * Removes named statements with messages of the protocol: a pooler that keeps track of names does not read `DEALLOCATE`. A name that does not
 * exist is no error.
 */
export function closeStatements(client: ClientBase, names: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const closing: Submittable & Answered = {
      submit: (connection) => {
        for (const name of names) connection.close({ type: 'S', name }, true)
        connection.sync()
      },
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    }
    client.query(closing)
  })
}

/** Methods of queries that pg calls and does not declare. */
interface Answered {
  readonly handleReadyForQuery: () => void
  readonly handleError: (error: Error) => void
}
