import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from 'pg'
import { freePort, openFolder, type Running, start, versionOf } from './processes.ts'

export interface PgBouncer {
  /** The URL of the database through the pooler. */
  readonly url: string
  /** Runs a command of its administration, such as `RECONNECT`. */
  readonly command: (text: string) => Promise<void>
  readonly kill: () => Promise<void>
  /** Its connections stay open, and are not answered. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly startAgain: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The user id of `nobody`: PgBouncer refuses to run as root. */
export const nobody = 65_534

/**
 * PgBouncer in transaction mode before a database, with few connections, so that each serves many clients in turn.
 *
 * @param further A line for another database. Default none.
 */
export async function startPgBouncer(program: string, direct: string, further = ''): Promise<PgBouncer> {
  const { folder, remove } = await openFolder()
  const port = await freePort()
  const { hostname, port: databasePort, username, password, pathname } = new URL(direct)
  // 1.21 and later keep track of named statements.
  const [, minor = 0] = /1\.(\d+)/.exec(versionOf(program))?.map(Number) ?? []
  const file = path.join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${further}
* = host=${hostname} port=${databasePort || 5432} user=${decodeURIComponent(username)}${password && ` password='${decodeURIComponent(password)}'`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = admin
pool_mode = transaction
default_pool_size = 3
max_client_conn = 300
${minor >= 21 ? 'max_prepared_statements = 300' : ''}
`,
  )
  let running: Running
  const begin = async (): Promise<void> => {
    running = await start(program, [file], port, process.getuid?.() === 0 ? { uid: nobody } : {})
  }
  await begin()
  return {
    url: `postgres://site@127.0.0.1:${port}${pathname}`,
    command: async (text) => {
      const client = new Client({ connectionString: `postgres://admin@127.0.0.1:${port}/pgbouncer` })
      await client.connect()
      await client.query(text)
      await client.end()
    },
    kill: () => running.stop('SIGKILL'),
    freeze: () => void running.child.kill('SIGSTOP'),
    thaw: () => void running.child.kill('SIGCONT'),
    startAgain: begin,
    close: async () => {
      await running.stop('SIGKILL')
      await remove()
    },
  }
}
