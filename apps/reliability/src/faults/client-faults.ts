/** Clients that read slowly, send slowly, leave, or are many. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { ask, dataOf } from '../ask.ts'
import type { OctavoProcess } from '../processes/octavo-process.ts'
import { percentile, type Shot } from '../timed-request.ts'
import { BusyClients } from './busy-clients.ts'
import { check, type Fault, until } from './fault.ts'
import { Load } from './load.ts'
import { type Served, withServer } from './served.ts'

const megabyte = 1_000_000
const metrics = `{ content: '.', plugins: [], access: 'open', metrics: true }`
const fewConnections = `{ content: '.', plugins: [], access: 'open', connections: 4 }`
const items: Shot = { method: 'GET', path: '/api/items?populate=*&pagination[pageSize]=100' }

async function sockets(server: OctavoProcess, count: number): Promise<readonly Socket[]> {
  const { port, hostname } = new URL(server.url)
  const opened: Socket[] = []
  // In portions, so that the backlog of the listening socket suffices.
  while (opened.length < count) {
    const portion = Array.from({ length: Math.min(200, count - opened.length) }, async () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    })
    opened.push(...(await Promise.all(portion)))
  }
  return opened
}

const closeAll = (opened: readonly Socket[]): void => {
  for (const socket of opened) socket.destroy()
}

/** The 95th percentile in milliseconds of four clients, over some seconds. */
async function p95(server: OctavoProcess, shot: Shot, seconds: number): Promise<number> {
  const load = await Load.during(
    () => server.url,
    [shot],
    4,
    () => sleep(seconds * 1_000),
  )
  check(load.errors.length + load.broken === 0, load.errors[0] ?? 'A connection broke')
  return percentile(load.times, 0.95)
}

const middle = (values: readonly number[]): number => percentile(values, 0.5)

async function fillItems({ cluster }: Served, count: number): Promise<void> {
  await cluster.sql(
    `insert into items (key, n, created_at, updated_at) select md5(i::text), i, now(), now() from generate_series(1, ${count}) i`,
    'site',
  )
}

/** Fills boxes with items. @returns a request so large that two cores cannot answer a thousand clients in a second */
async function fillBoxes({ url }: OctavoProcess): Promise<Shot> {
  for (let box = 0; box < 20; box++) {
    const made = await ask(url, 'POST', '/api/boxes', { data: { name: `box ${box}` } })
    check(made?.status === 200, `A box was not made: ${made?.status}`)
    const { id } = dataOf<{ readonly id: number }>(made)
    for (let item = 0; item < 10; item++)
      await ask(url, 'POST', '/api/items', { data: { key: `item ${item}`, n: item, box: id } })
  }
  return { method: 'GET', path: '/api/items?populate[box][populate]=items&pagination[pageSize]=50' }
}

/** Runs `work` while another session locks a table. */
async function whileLocked({ cluster }: Served, table: string, work: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: cluster.url('site') })
  await client.connect()
  try {
    await client.query(`begin; lock table ${table} in access exclusive mode`)
    await work()
  } finally {
    await client.end()
  }
}

export const clientFaults: readonly Fault[] = [
  {
    name: '60 clients request 7.6 MB each and do not read',
    holds: 'under 300 MB resident, others are answered, the slow ones are dropped after 20 s',
    // Not in the short form, like the other waits of minutes and the figures that a busy machine distorts: the tests of the server
    // show the mechanism.
    inShort: false,
    run: ({ isShort }) =>
      withServer({ config: metrics }, async ({ cluster, server }) => {
        await cluster.sql(
          `insert into pages (text, created_at, updated_at) select repeat(md5(i::text), 9500), now(), now() from generate_series(1, 25) i`,
          'site',
        )
        const readers = await sockets(server, 60)
        let most = 0
        let refused = 0
        for (const reader of readers) {
          reader.pause()
          reader.write('GET /api/pages HTTP/1.1\r\nHost: x\r\n\r\n')
        }
        const end = performance.now() + (isShort ? 10_000 : 20_000)
        while (performance.now() < end) {
          most = Math.max(most, (await server.memory()) ?? 0)
          const answer = await ask(server.url, 'GET', '/api/boxes')
          if (answer?.status !== 200) refused += 1
          await sleep(100)
        }
        const unsent = async (): Promise<number> => {
          const text = await (await fetch(`${server.url}/_metrics`)).text()
          return Number(/^octavo_unsent_answer_bytes (\d+)$/m.exec(text)?.[1])
        }
        if (!isShort) await until(async () => (await unsent()) === 0, 'Answers stay unsent', 120)
        closeAll(readers)
        check(refused === 0, `${refused} small requests were refused`)
        check(most < 300 * 1_000_000, `${Math.round(most / 1_000_000)} MB resident`)
        return `at most ${Math.round(most / 1_000_000)} MB${isShort ? '' : ', all dropped in the end'}`
      }),
  },
  {
    name: 'A table is locked, 30 requests wait for it',
    holds: 'p95 of the other types is within twice the quiet one; the server is ready',
    inShort: true,
    run: ({ isShort }) =>
      withServer({}, async (served) => {
        const { server } = served
        await fillItems(served, 200)
        await p95(server, items, isShort ? 1 : 5)
        const quiet: number[] = []
        const locked: number[] = []
        for (let round = 0; round < (isShort ? 1 : 5); round++) {
          quiet.push(await p95(server, items, 2))
          await whileLocked(served, 'pages', async () => {
            const waiting = Array.from({ length: 30 }, () => ask(server.url, 'GET', '/api/pages'))
            await sleep(200)
            locked.push(await p95(server, items, 2))
            const health = await ask(server.url, 'GET', '/_health/ready')
            check(health?.status === 200, `/_health/ready is ${health?.status}`)
            void Promise.all(waiting)
          })
          await until(
            async () => (await ask(server.url, 'GET', '/api/pages'))?.status === 200,
            'The type stays unanswered after the lock',
          )
        }
        const ratio = middle(locked) / middle(quiet)
        const shown = `p95 ${middle(quiet).toFixed(0)} ms quiet, ${middle(locked).toFixed(0)} ms locked (medians of ${quiet.length}): ${ratio.toFixed(2)} times`
        // Times are judged by hand only.
        check(isShort || ratio <= 2, shown)
        return shown
      }),
  },
  {
    name: '10 clients leave while their statements wait for a lock',
    holds: 'their statements are cancelled',
    inShort: true,
    run: () =>
      withServer({}, async (served) => {
        const { cluster, server } = served
        const busy = async (): Promise<number> => {
          const [row] = await cluster.sql(
            `select count(*) from pg_stat_activity where application_name = 'octavo' and wait_event_type = 'Lock'`,
          )
          return Number(row?.count)
        }
        await whileLocked(served, 'pages', async () => {
          const leaving = await sockets(server, 10)
          for (const socket of leaving) socket.write('GET /api/pages HTTP/1.1\r\nHost: x\r\n\r\n')
          await until(async () => (await busy()) >= 5, 'No statement waits')
          closeAll(leaving)
          await until(async () => (await busy()) === 0, 'Backends stay busy', 10)
        })
        check((await ask(server.url, 'GET', '/api/pages'))?.status === 200, 'The type stays unanswered')
        return 'no backend was busy any more'
      }),
  },
  {
    name: 'Slowloris: 1,000 clients send a header a byte at a time',
    holds: 'others are answered; the slow ones are closed',
    inShort: false,
    run: ({ isShort }) =>
      withServer({}, async ({ server }) => {
        const slow = await sockets(server, isShort ? 200 : 1_000)
        for (const socket of slow) {
          socket.resume()
          socket.write('GET /api/boxes HTTP/1.1\r\nX-A: ')
        }
        const began = performance.now()
        const dripping = setInterval(() => {
          for (const socket of slow) if (!socket.closed) socket.write('a')
        }, 1_000)
        try {
          const time = await p95(server, { method: 'GET', path: '/api/boxes' }, 3)
          if (isShort) return `others in ${time.toFixed(0)} ms (p95)`
          await until(() => slow.every(({ closed }) => closed), 'Slow clients stay connected', 150)
          const seconds = (performance.now() - began) / 1_000
          return `others in ${time.toFixed(0)} ms (p95); all closed after ${seconds.toFixed(0)} s`
        } finally {
          clearInterval(dripping)
          closeAll(slow)
        }
      }),
  },
  {
    name: '10,000 idle connections',
    holds: 'others are answered, under 400 MB resident',
    inShort: false,
    run: ({ isShort }) =>
      withServer({}, async ({ server }) => {
        const count = isShort ? 1_000 : 10_000
        const before = await p95(server, { method: 'GET', path: '/api/boxes' }, 2)
        const idle = await sockets(server, count)
        try {
          const after = await p95(server, { method: 'GET', path: '/api/boxes' }, 2)
          const memory = ((await server.memory()) ?? 0) / 1_000_000
          check(memory < 400, `${memory.toFixed(0)} MB resident`)
          return `${count.toLocaleString('en')} connections, ${memory.toFixed(0)} MB; p95 ${before.toFixed(0)} ms before, ${after.toFixed(0)} ms with them`
        } finally {
          closeAll(idle)
        }
      }),
  },
  {
    name: '1,000 busy connections',
    holds: 'requests are refused within 50 ms, or answered within 2 s',
    inShort: false,
    run: ({ isShort }) =>
      // Few connections, as the database is on the same cores: many busy backends would leave the server no processor.
      withServer({ config: fewConnections }, async ({ server }) => {
        const shot = await fillBoxes(server)
        await p95(server, shot, 2)
        const busy = await BusyClients.start(server.url, shot.path, isShort ? 100 : 1_000)
        await sleep(isShort ? 2_000 : 5_000)
        // The thousand clients have a thread of their own, so that these times are not those of its event loop.
        const probe = await Load.during(
          () => server.url,
          [shot],
          4,
          () => sleep(isShort ? 2_000 : 20_000),
          100,
        )
        const { answered, refused } = await busy.stop()
        const admitted = probe.times.filter((_, i) => probe.statuses[i] === 200)
        const turned = probe.times.filter((_, i) => probe.statuses[i] === 503)
        check(probe.broken === 0, `${probe.broken} connections broke`)
        check(admitted.length + turned.length === probe.times.length, probe.errors[0] ?? 'Another status')
        const shown = [
          `${answered.toLocaleString('en')} answered, ${refused.toLocaleString('en')} refused`,
          `a client beside them: ${admitted.length} answered, p50 ${middle(admitted).toFixed(0)}, p95 ${percentile(admitted, 0.95).toFixed(0)}, at most ${percentile(admitted, 1).toFixed(0)} ms`,
          `${turned.length} refused, p50 ${middle(turned).toFixed(0)}, p95 ${percentile(turned, 0.95).toFixed(0)} ms`,
        ].join('; ')
        if (isShort) return shown
        check(turned.length > 0, `Nothing was refused: ${shown}`)
        check(percentile(admitted, 0.95) <= 2_000 && percentile(turned, 0.95) <= 50, shown)
        return shown
      }),
  },
  {
    name: '60,000 statement shapes',
    holds: 'no backend has more than 20 MB of its own, and their memory stops growing',
    inShort: true,
    run: ({ isShort }) =>
      withServer({ config: metrics }, async ({ cluster, server }) => {
        const count = isShort ? 2_000 : 60_000
        // A row in each table, so that every part of a statement runs.
        for (const name of ['boxes', 'items', 'wides'])
          await ask(server.url, 'POST', `/api/${name}`, { data: { key: 'x', box: 1, a: 1 } })
        let sent = 0
        const sender = async (until: number): Promise<void> => {
          while (sent < until) {
            const path = shapePath(sent++)
            const answer = await ask(server.url, 'GET', path)
            check(answer?.status === 200, `${path}: ${answer?.status}`)
          }
        }
        let largest = 0
        /** The mean of the backends in each quarter. */
        const quarters: number[] = []
        for (const quarter of [1, 2, 3, 4]) {
          const means: number[] = []
          let isOver = false
          const sending = Promise.all(Array.from({ length: 10 }, () => sender((count * quarter) / 4)))
          void sending
            .catch(() => {})
            .finally(() => {
              isOver = true
            })
          do {
            const backends = await cluster.backendMemory()
            largest = Math.max(largest, ...backends)
            means.push(backends.reduce((sum, one) => sum + one, 0) / Math.max(1, backends.length))
            await sleep(500)
          } while (!isOver)
          await sending
          quarters.push(middle(means))
        }
        const [, second = 0, , last = 0] = quarters
        const texts = await (await fetch(`${server.url}/_metrics`)).text()
        const recycled = /^octavo_database_connections_recycled\S* (\d+)$/m.exec(texts)?.[1] ?? '?'
        const shown = `${count.toLocaleString('en')} shapes; the largest backend had ${show(largest)} of its own, all on average ${quarters.map(show).join(', ')} in the four quarters; ${recycled} connections were recycled`
        check(largest < 20 * megabyte && (isShort || last < second + 3 * megabyte), shown)
        return shown
      }),
  },
]

const show = (bytes: number): string => `${(bytes / megabyte).toFixed(1)} MB`

/** The filters, populates and sorts that shapes are combined from. */
const shapeParts = [
  [
    '',
    '&filters[n][$gt]=0',
    '&filters[box][name][$eq]=x',
    '&filters[$or][0][n][$eq]=1&filters[$or][1][key][$contains]=x',
  ],
  [
    '',
    '&populate[parts]=true',
    '&populate[box]=true',
    '&populate[box][populate][items][fields]=key',
    '&populate=*',
  ],
  ['', '&sort=key', '&sort=n:desc', '&sort=box.name'],
  ['', '&filters[key][$null]=true', '&filters[key][$startsWith]=x', '&filters[id][$in][0]=1'],
] as const

/** Request number `i`, whose statement no other number has: two of three have another list of fields, the others other filters, populates and sorts. */
function shapePath(i: number): string {
  const ownFields = (names: readonly string[], mask: number): string =>
    names
      .filter((_, at) => mask & (1 << at))
      .map((name, at) => `&fields[${at}]=${name}`)
      .join('')
  if (i % 3 > 0) return `/api/wides?${ownFields([...'abcdefghijklmnop'], i + 1)}`
  let rest = Math.floor(i / 3)
  const take = (count: number): number => {
    const taken = rest % count
    rest = Math.floor(rest / count)
    return taken
  }
  const parts = shapeParts.map((choices) => choices[take(choices.length)])
  const [mask, order] = [take(4), rest]
  return `/api/items?${ownFields(['key', 'n'], mask)}${parts.join('')}${shapeFilters(order)}`
}

/** Conditions on `n` that no other number has: each binary digit is an operator. */
const shapeFilters = (number: number): string =>
  [...number.toString(2)]
    .map((digit, i) => `&filters[$and][${i}][n][${digit === '1' ? '$ne' : '$lt'}]=${i}`)
    .join('')
