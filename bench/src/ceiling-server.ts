/**
 * The ceiling: bare node:http over pg, each scenario a hand-written named statement. Run as a child process with the database, the
 * scenario, and for the best SQL known the number of articles.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { bestCeilings, settings } from './best-sql.ts'
import { answerUsage } from './child.ts'
import type { Query } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const [, , connectionString, name = '', articles] = process.argv
const plain = scenarios.find((scenario) => scenario.name === name)?.ceiling
const ceiling = articles === undefined ? plain : bestCeilings(Number(articles))[name]
if (!ceiling) throw new Error(`There is no scenario "${name}"`)
const pool = new Pool({ connectionString, max: 10, ...(articles !== undefined && { options: settings }) })

const query: Query = async (of, text, values) => {
  const { rows } = await pool.query({ name: of, text, values: [...values], rowMode: 'array' })
  return rows
}

const read = async (url: URL, authorization: string): Promise<string> => {
  if (ceiling.kind !== 'read') throw new Error('not a reading scenario')
  await ceiling.check?.(authorization, query)
  const { rows } = await pool.query({
    name,
    text: ceiling.text,
    values: [...ceiling.values(url)],
    rowMode: 'array',
  })
  const [data, total] = (rows[0] ?? []) as [string | null, string]
  if (!ceiling.list) return `{"data":${data},"meta":{}}`
  const count = Number(total)
  return `{"data":[${data ?? ''}],"meta":{"pagination":{"page":1,"pageSize":25,"pageCount":${Math.ceil(count / 25)},"total":${count}}}}`
}

const write = async (url: URL, authorization: string): Promise<string> => {
  if (ceiling.kind !== 'write') throw new Error('not a writing scenario')
  await ceiling.check?.(authorization, query)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const entry = await ceiling.run(client, url)
    await client.query('commit')
    return `{"data":${entry.slice(0, -1)},"meta":{}},"meta":{}}`
  } finally {
    client.release()
  }
}

const bare = (body: unknown, url: URL): Promise<string> => {
  if (ceiling.kind !== 'bare') throw new Error('not a bare scenario')
  return ceiling.run(query, body, url)
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://ceiling')
  const chunks: Buffer[] = []
  const send = (): void => {
    const given: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
    const answered =
      ceiling.kind === 'read'
        ? read(url, request.headers.authorization ?? '')
        : ceiling.kind === 'write'
          ? write(url, request.headers.authorization ?? '')
          : bare(given, url)
    answered.then(
      (body) =>
        response
          .writeHead(200, {
            'Content-Type': 'application/json; charset=utf-8',
            'Content-Length': Buffer.byteLength(body),
          })
          .end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }
  if (request.method === 'GET') send()
  else request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', send)
})
server.listen(0, '127.0.0.1', () => answerUsage((server.address() as AddressInfo).port))
