import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { serverUrl } from './environment.ts'

/** A database with the content of a dump. */
export interface DumpDatabase {
  readonly url: string
  /** Runs statements in it. */
  run(sql: string): Promise<void>
  drop(): Promise<void>
}

/**
 * Restores a dump of `pg_dump --inserts` into a database of the PostgreSQL server of the tests.
 *
 * @param file Compressed with gzip.
 * @param schema The schema for the tables of `public`.
 * @returns `undefined` without a server.
 */
export async function restoreDump(file: string, schema = 'public'): Promise<DumpDatabase | undefined> {
  const server = serverUrl()
  if (server === undefined) return undefined
  const name = `octavo_dump_${randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  await run(server, `create database ${name} template template0 encoding 'UTF8'`)
  url.pathname = `/${name}`
  const dump = gunzipSync(await readFile(file)).toString('utf8')
  await run(url.href, `create schema if not exists ${schema}`)
  // Lines with a backslash are commands of psql.
  await run(url.href, dump.replaceAll(/^\\.*$/gm, '').replaceAll('public.', `${schema}.`))
  return {
    url: url.href,
    run: (sql) => run(url.href, sql),
    drop: () => run(server, `drop database ${name} with (force)`),
  }
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
