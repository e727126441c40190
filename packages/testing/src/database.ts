import { randomUUID } from 'node:crypto'
import { Pool } from 'pg'
import { type Engine, noDatabase, noGlobalSetup, serverUrl, testEngine } from './environment.ts'

export interface TestDatabase {
  /** The option `database` of `createServer`: `postgres://...` or `memory://`. */
  readonly url: string
  readonly engine: Engine
  /** Drops the database, even with open connections. A second call does nothing. */
  drop(): Promise<void>
}

/**
 * A fresh, empty database on the engine of this run. Close what uses it, then `drop()` it.
 *
 * On PGlite the address is always `memory://`: every store that opens it has its own database, which is removed when
 * the store is closed.
 *
 * @throws when the engine is PostgreSQL and there is no server; the message lists the settings.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const engine = testEngine()
  if (engine === 'pglite') return { url: 'memory://', engine, drop: async () => {} }

  const server = serverUrl()
  if (!server) throw noGlobalSetup()
  const name = `octavo_test_${randomUUID().replaceAll('-', '')}`
  // COLLATE "C" orders by code point, as the contract's recorded answers do and PGlite does. CTYPE "C.UTF-8" lets
  // lower() and ILIKE know É beside E: plain "C" would fold ASCII only. glibc (Debian) has that locale built in. musl
  // (alpine) takes any name, folds case by Unicode and has no other order than code points, so the outcome is the same.
  const { copiesFiles, query } = await adminOf(server)
  // Without this strategy, which is that of versions before 15, PostgreSQL logs all pages of the new database: five times the time.
  const strategy = copiesFiles ? ' strategy file_copy' : ''
  await query(
    `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'${strategy}`,
  )

  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    engine,
    drop: async () => (await adminOf(server)).query(`drop database if exists ${name} with (force)`),
  }
}

interface Admin {
  /** Whether `create database` may name its strategy: from version 15 on. */
  readonly copiesFiles: boolean
  query(sql: string): Promise<void>
}

/** Makes and drops the databases of this process, on one connection: a new one for each takes longer than the statement. */
let admin: { readonly server: string; readonly connected: Promise<Admin> } | undefined

function adminOf(server: string): Promise<Admin> {
  if (admin?.server !== server) admin = { server, connected: connect(server) }
  return admin.connected
}

async function connect(server: string): Promise<Admin> {
  const pool = new Pool({ connectionString: server, max: 1, allowExitOnIdle: true })
  // A connection that breaks while it is idle is replaced at the next statement.
  pool.on('error', () => {})
  try {
    const { rows } = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::int4 as "version"`,
    )
    return {
      copiesFiles: (rows[0]?.version ?? 0) >= 150_000,
      query: async (sql) => void (await pool.query(sql)),
    }
  } catch (error) {
    admin = undefined
    throw noDatabase(`cannot connect to ${withoutPassword(server)}`, error)
  }
}

function withoutPassword(server: string): string {
  const url = new URL(server)
  if (url.password) url.password = '***'
  return url.href
}
