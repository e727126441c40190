import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { serverUrl } from '@octavo/testing'
import { Client } from 'pg'
import { fixture } from './fixture.ts'

/** A database with the dump of the fixture, on the PostgreSQL server of the tests; `undefined` when there is no server. */
export async function loadedDump(): Promise<{ readonly url: string; drop(): Promise<void> } | undefined> {
  const server = serverUrl()
  if (server === undefined) return undefined
  const name = `octavo_strapi_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  await run(server, `create database ${name} template template0 encoding 'UTF8'`)
  url.pathname = `/${name}`
  // A dump by INSERT is SQL, but for the lines that psql itself reads.
  const dump = gunzipSync(await readFile(fixture('database.sql.gz'))).toString('utf8')
  await run(url.href, dump.replaceAll(/^\\(un)?restrict .*$/gm, ''))
  return { url: url.href, drop: () => run(server, `drop database ${name} with (force)`) }
}

export async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
