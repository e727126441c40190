/** Concurrent writes, ids that are used up, definitions that change, large imports and uploads that are cut off. */
import { existsSync } from 'node:fs'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, codeOf, dataOf } from '../ask.ts'
import { runModel } from '../model/model.ts'
import { OctavoProcess, octavo } from '../processes/octavo-process.ts'
import { familyOf, residentMemory } from '../processes/process-figures.ts'
import { makeSite } from '../site.ts'
import { check, checkNone, type Fault, type Scale, until } from './fault.ts'
import { withCluster, withServer } from './served.ts'

const megabyte = 1_000_000

async function model({ isShort }: Scale, database: string): Promise<string> {
  const { writes, reads, unknown, anomalies } = await runModel({
    database,
    kills: isShort ? 2 : 8,
    rounds: isShort ? 8 : 25,
    clients: 6,
  })
  checkNone(anomalies)
  return `${writes.toLocaleString('en')} writes, ${unknown} cut off, ${reads.toLocaleString('en')} reads, no anomaly`
}

interface Page {
  readonly attributes: { readonly body: string | null }
}

export const dataFaults: readonly Fault[] = [
  {
    name: 'Concurrent writes to the same entries, with kills, PostgreSQL',
    holds: 'appends to lists and moves between boxes have one order, and none is lost',
    inShort: false,
    run: (scale) => withCluster([], async (cluster) => model(scale, await cluster.createDatabase('site'))),
  },
  {
    name: 'Concurrent writes to the same entries, with kills, embedded',
    holds: 'appends to lists and moves between boxes have one order, and none is lost',
    inShort: false,
    run: (scale) => model(scale, 'memory://'),
  },
  {
    name: 'The ids of a table are used up',
    holds: '503 `database/ids-used-up`, reads are answered',
    inShort: false,
    run: () =>
      withServer({}, async ({ cluster, server }) => {
        await cluster.sql(`select setval(pg_get_serial_sequence('boxes', 'id'), 2147483647)`, 'site')
        const answer = await ask(server.url, 'POST', '/api/boxes', { data: { name: 'x' } })
        const code = answer ? `${answer.status} ${codeOf(answer)}` : 'no answer'
        check(code === '503 database/ids-used-up', code)
        check((await ask(server.url, 'GET', '/api/boxes'))?.status === 200, 'Reads failed')
        return code
      }),
  },
  {
    name: 'An attribute is renamed, a column is dropped by hand',
    holds:
      'the start names values that nothing reads, `renamedFrom` moves them, a missing column is there again',
    inShort: false,
    run: () =>
      withCluster([], async (cluster) => {
        const site = await makeSite()
        const database = await cluster.createDatabase('site')
        const declare = (attributes: object): Promise<void> =>
          site.write('content-types/page.json', {
            kind: 'collectionType',
            info: { singularName: 'page', pluralName: 'pages' },
            attributes,
          })
        const served = async <T>(use: (server: OctavoProcess) => Promise<T>): Promise<T> => {
          const server = await OctavoProcess.start({ config: site.config, database })
          try {
            return await use(server)
          } finally {
            await server.stop()
          }
        }
        const read = async (server: OctavoProcess) => {
          const answer = await ask(server.url, 'GET', '/api/pages/1')
          return answer && dataOf<Page | undefined>(answer)?.attributes
        }
        try {
          await served((server) => ask(server.url, 'POST', '/api/pages', { data: { text: 'kept' } }))
          await declare({ body: { type: 'text' } })
          await served(async (server) =>
            check(
              server.output.includes('has values that no attribute reads'),
              'The start names no hidden values',
            ),
          )
          const { output } = await octavo([
            'check',
            '--schema',
            '--config',
            site.config,
            '--database',
            database,
          ])
          check(output.includes('has values that no attribute reads'), 'The check names no hidden values')
          await declare({ body: { type: 'text', renamedFrom: 'text' } })
          check((await served(read))?.body === 'kept', 'The value was not moved')
          await cluster.sql('alter table pages drop column body', 'site')
          const after = await served(read)
          check(after !== undefined && after.body === null, 'The dropped column makes errors')
          return 'named, moved, made anew'
        } finally {
          await site.remove()
        }
      }),
  },
  {
    name: 'An import of 400,000 entries',
    holds: 'under 250 MB resident, in two processes',
    inShort: false,
    run: () =>
      withCluster([], async (cluster) => {
        const site = await makeSite()
        const database = await cluster.createDatabase('site')
        const file = join(site.folder, 'data.json')
        const entries = Array.from(
          { length: 400_000 },
          (_, i) => `{"id":${i + 1},"key":"item ${i}","n":${i}}`,
        )
        await writeFile(file, `{"entries":{"api::item.item":[${entries.join(',')}]}}`)
        let most = 0
        let isOver = false
        const importing = octavo(
          ['import', file, '--config', site.config, '--database', database],
          async (pid) => {
            while (!isOver) {
              most = Math.max(most, (await residentMemory(await familyOf(pid))) ?? 0)
              await sleep(100)
            }
          },
        )
        try {
          const { code, output } = await importing
          isOver = true
          check(code === 0, `The import ended with ${code}: ${output}`)
          const [row] = await cluster.sql('select count(*) from items', 'site')
          check(Number(row?.count) === 400_000, `${row?.count} entries were imported`)
          check(most < 250 * megabyte, `${Math.round(most / megabyte)} MB resident`)
          return `at most ${Math.round(most / megabyte)} MB`
        } finally {
          isOver = true
          await site.remove()
        }
      }),
  },
  {
    name: 'SIGKILL during an upload',
    holds: 'the next start, an hour later, removes what was left',
    inShort: false,
    run: () =>
      withCluster([], async (cluster) => {
        const plugin = new URL('../../../../packages/plugin-upload/dist/index.js', import.meta.url).href
        const site = await makeSite(
          `{ content: '.', access: 'open', plugins: [(({ upload, localDisk }) => upload({ provider: localDisk({ folder: new URL('./media', import.meta.url).pathname }) }))(await import('${plugin}'))] }`,
        )
        const database = await cluster.createDatabase('site')
        const server = await OctavoProcess.start({ config: site.config, database })
        const left = async (): Promise<number> => {
          const folder = join(site.folder, 'media/.incoming')
          return existsSync(folder) ? (await readdir(folder)).length : 0
        }
        try {
          const { port, hostname } = new URL(server.url)
          const socket = connect(Number(port), hostname)
          socket.on('error', () => {})
          socket.write(
            'POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999\r\n\r\n--b\r\nContent-Disposition: form-data; name="files"; filename="a.bin"\r\n\r\n',
          )
          socket.write('x'.repeat(100_000))
          await until(async () => (await left()) > 0, 'The upload writes no file')
          await server.kill()
          // As if it were long ago: what was written a moment ago may still arrive.
          const yesterday = new Date(Date.now() - 48 * 3_600_000)
          const folder = join(site.folder, 'media/.incoming')
          for (const name of await readdir(folder, { recursive: true }))
            await utimes(join(folder, name), yesterday, yesterday)
          const { code } = await octavo(['media', 'check', '--config', site.config, '--database', database])
          check(code === 0 && (await left()) === 0, `${await left()} files are left`)
          return 'removed'
        } finally {
          await server.kill()
          await site.remove()
        }
      }),
  },
]
