/** Bodies that are refused before they have arrived as a whole. Proxies send requests of other clients on the same connection. */
import { gzipSync } from 'node:zlib'
import { openConnection } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ body: { bodySize: 100_000 } })
})
afterAll(() => site.close())

/** More than the buffers of a connection hold. */
const long = 'x'.repeat(6_000_000)
const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }

it.each<[string, number, Record<string, string>, string | Uint8Array]>([
  ['JSON', 413, { 'content-type': 'application/json' }, JSON.stringify({ data: { title: long } })],
  ['text', 413, { 'content-type': 'text/plain' }, long],
  ['a form', 413, { 'content-type': 'application/x-www-form-urlencoded' }, `a=${long}`],
  ['a text that is not packed as it says', 400, packed, long],
  ['what follows packed JSON', 400, packed, Buffer.concat([gzipSync('{"data":{}}'), Buffer.from(long)])],
])('After %s, the connection takes the next request', async (_, status, headers, body) => {
  const connection = openConnection(site.url)
  for (const length of [{}, { 'content-length': String(body.length) }]) {
    expect(await connection.send('POST', '/api/articles', { ...headers, ...length }, body)).toBe(status)
    expect(await connection.send('GET', '/api/articles')).toBe(200)
  }
  expect(connection.count).toBe(1)
  connection.close()
})
