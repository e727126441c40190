/** Concurrent writes, ids that are used up, definitions that change, and large imports. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, codeOf, dataOf } from '../ask.ts'
import { runModel } from '../model/model.ts'
import { OctavoProcess, octavo } from '../processes/octavo-process.ts'
import { familyOf, residentMemory } from '../processes/process-figures.ts'
import { makeSite } from '../site.ts'
import { check, checkNone, type Fault, type Scale } from './fault.ts'
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
]
