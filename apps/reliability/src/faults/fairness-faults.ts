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

export const fairnessFaults: readonly Fault[] = [
  {
    name: '50 addresses send searches of 200,000 entries at once',
    holds: 'the list of 25 of another address has a p95 under 250 ms, and is never refused',
    inShort: false,
    run: ({ isShort }) =>
      withServer({ config }, async ({ cluster, server }) => {
        await cluster.sql(
          `insert into items (key, n, created_at, updated_at) select md5(i::text), i, now(), now() from generate_series(1, 200000) i; analyze items`,
          'site',
        )
        let measured: Load | undefined
        const attack = await Load.during(
          () => server.url,
          searches,
          searches.length,
          async (load) => {
            await load.progress(50)
            measured = await Load.during(
              () => server.url,
              [list],
              1,
              () => sleep(isShort ? 3_000 : 20_000),
            )
          },
          1_000,
        )
        check(measured !== undefined, 'Nothing was measured')
        check(measured.errors.length + measured.broken === 0, measured.errors[0] ?? 'A connection broke')
        const [p50, p95] = [0.5, 0.95].map((part) => Math.round(percentile(measured?.times ?? [], part)))
        const median = Math.round(percentile(attack.times, 0.5))
        const figures = `p50 ${p50} ms, p95 ${p95} ms of ${measured.answered}; the searches ${median} ms (median of ${attack.answered})`
        check((p95 ?? 0) < 250, figures)
        return figures
      }),
  },
]
