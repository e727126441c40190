/** The ceiling: bare node:http over pg, each scenario a hand-written named statement. Run as a child process. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { answerUsage } from './child.ts'
import { scenarios } from './scenarios.ts'

const scenario = scenarios.find(({ name }) => name === process.argv[3])
if (!scenario) throw new Error(`There is no scenario "${process.argv[3]}"`)
const pool = new Pool({ connectionString: process.argv[2], max: 10 })
const { ceiling, name } = scenario

const read = async (url: URL, authorization: string): Promise<string> => {
  if (ceiling.kind !== 'read') throw new Error('not a reading scenario')
  await ceiling.check?.(authorization)
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

const write = async (url: URL): Promise<string> => {
  if (ceiling.kind !== 'write') throw new Error('not a writing scenario')
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

const bare = (body: unknown): Promise<string> => {
  if (ceiling.kind !== 'bare') throw new Error('not a bare scenario')
  return ceiling.run(async (of, text, values) => {
    const { rows } = await pool.query({ name: of, text, values: [...values], rowMode: 'array' })
    return rows
  }, body)
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
          ? write(url)
          : bare(given)
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
