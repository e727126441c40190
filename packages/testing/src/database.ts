import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { type Engine, noDatabase, serverUrl, testEngine } from './environment.ts'

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
  if (!server) throw noDatabase('the vitest global setup, @octavo/testing/global-setup, did not run')
  const name = `octavo_test_${randomUUID().replaceAll('-', '')}`
  // COLLATE "C" orders by code point, as the contract's recorded answers do and PGlite does. CTYPE "C.UTF-8" lets
  // lower() and ILIKE know É beside E: plain "C" would fold ASCII only. glibc (Debian) has that locale built in. musl
  // (alpine) takes any name, folds case by Unicode and has no other order than code points, so the outcome is the same.
  await run(
    server,
    `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'`,
  )

  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, engine, drop: () => run(server, `drop database if exists ${name} with (force)`) }
}

async function run(server: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: server })
  try {
    await client.connect()
  } catch (error) {
    throw noDatabase(`cannot connect to ${withoutPassword(server)}`, error)
  }
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function withoutPassword(server: string): string {
  const url = new URL(server)
  if (url.password) url.password = '***'
  return url.href
}
