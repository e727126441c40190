/** Many callers whose requests are as dear as the limits allow. */
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile, type Shot } from '../timed-request.ts'
import { check, type Fault } from './fault.ts'
import { Load } from './load.ts'
import { withServer } from './served.ts'

/** The addresses of callers, as a proxy gives them. */
const config = `{ content: '.', plugins: [], access: 'open', proxies: 1 }`
const from = (address: string) => ({ 'x-forwarded-for': address })

/** Searches without an index in 200,000 rows. */
const searches: readonly Shot[] = Array.from({ length: 50 }, (_, i) => ({
  method: 'GET',
  path: `/api/items?filters[key][$containsi]=abc${i}&sort=key&pagination[withCount]=true`,
  headers: from(`192.0.2.${i}`),
}))
const list: Shot = { method: 'GET', path: '/api/items?sort=id', headers: from('198.51.100.1') }

/** The relations of a filter, a sort or a population that is as long as the limits allow. */
const there = (times: number, between: string): string =>
  Array.from({ length: times }, (_, i) => (i % 2 === 0 ? 'box' : 'items')).join(between)

/** Requests within all limits by shape that read as much as they can, each of another shape and with other values. */
const dearest: readonly Shot[] = Array.from({ length: 50 }, (_, i) => {
  const steps = 4 + 2 * (i % 4)
  const value = `abc${i}`
  const shapes = [
    `sort=${there(steps, '.')}.key&fields=id`,
    `filters${`[${there(steps, '][')}]`}[key][$containsi]=${value}&sort=n`,
    `populate[${there(steps, '][populate][')}][fields]=id&pagination[limit]=100`,
    `filters[$or][0][key][$containsi]=${value}&filters[$or][1][box][items][key][$containsi]=${value}&sort=key`,
    Array.from({ length: 140 }, (_, n) => `populate[a${n}][of]=box&populate[a${n}][fields]=id`).join('&'),
  ]
  return {
    method: 'GET',
    path: `/api/items?${shapes[i % shapes.length]}&pagination[start]=${i}`,
    headers: from(`192.0.2.${i}`),
  }
})

/** One statement of each kind with values that make it quick and values that make it dear, in turns, so that it is always known as quick. */
const inTurns: readonly Shot[] = Array.from({ length: 100 }, (_, i) => ({
  method: 'GET',
  path: `/api/items?filters[n][$lte]=${i % 2 === 0 ? 0 : 20_000 - i}&sort=${i % 4 < 2 ? 'box.items.key' : 'box.items.n'}&fields=id`,
  headers: from(`192.0.2.${i >> 1}`),
}))

/** Measures a list of one address while 50 others send requests. */
const listBeside = (name: string, attack: readonly Shot[], rows: string, inShort: boolean): Fault => ({
  name,
  holds: 'the list of 25 of another address has a p95 under 250 ms, and is never refused',
  inShort,
  run: ({ isShort }) =>
    withServer({ config }, async ({ cluster, server }) => {
      await cluster.sql(rows, 'site')
      // Its statement is known.
      const url = () => server.url
      await Load.during(url, [list], 1, (load) => load.progress(20))
      let measured: Load | undefined
      const others = await Load.during(
        url,
        attack,
        attack.length,
        async () => {
          await sleep(isShort ? 1_000 : 5_000)
          measured = await Load.during(url, [list], 1, () => sleep(isShort ? 3_000 : 20_000))
        },
        1_000,
      )
      check(measured !== undefined, 'Nothing was measured')
      check(measured.errors.length + measured.broken === 0, measured.errors[0] ?? 'A connection broke')
      const [p50, p95] = [0.5, 0.95].map((part) => Math.round(percentile(measured?.times ?? [], part)))
      const median = Math.round(percentile(others.times, 0.5))
      const refused = others.statuses.filter((status) => status >= 400).length
      const figures = `p50 ${p50} ms, p95 ${p95} ms of ${measured.answered}; the others ${median} ms (median of ${others.answered}, ${refused} refused)`
      // The short form has some thirty lists, of which one slow one is the p95, on a machine that does other work.
      check(((isShort ? p50 : p95) ?? 0) < 250, figures)
      return figures
    }),
})

const items = (count: number): string =>
  `insert into items (key, n, created_at, updated_at) select md5(i::text), i, now(), now() from generate_series(1, ${count}) i; analyze items`

const itemsInBoxes = `insert into boxes (name, created_at, updated_at) select i::text, now(), now() from generate_series(1, 40) i; ${items(20_000)}; update items set box_id = 1 + id % 40, box_position = id; analyze items`

export const fairnessFaults: readonly Fault[] = [
  listBeside('50 addresses send searches of 200,000 entries at once', searches, items(200_000), false),
  listBeside('50 addresses send the dearest requests that are allowed at once', dearest, itemsInBoxes, true),
  listBeside('50 addresses send quick and dear values of the same statements', inTurns, itemsInBoxes, false),
]
