import { readFileSync } from 'node:fs'
import { silentLogger } from '@octavo/core'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

const dashboard: Dashboard = JSON.parse(
  readFileSync(new URL('../../../../docs/grafana.json', import.meta.url), 'utf8'),
)

it('Every metric of docs/grafana.json is one of /_metrics, and every metric of Octavo is in it', async () => {
  const database = await createTestDatabase()
  const server = await createServer({ database: database.url, metrics: true, logger: silentLogger })
  try {
    const api = createClient((await server.listen(0, '127.0.0.1')).url)
    await api.get('/_health')
    const { text } = await api.get('/_metrics')
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    const series = types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    )
    const asked = dashboard.panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/\b(?:octavo|process|nodejs)_\w+/g) ?? []),
    )
    expect(asked.length).toBeGreaterThan(15)
    expect(asked.filter((name) => !series.includes(name))).toEqual([])
    const own = types.flatMap(([, name = '']) => (name.startsWith('octavo_') ? [name] : []))
    expect(own.filter((name) => !asked.some((one) => one.startsWith(name)))).toEqual([])
  } finally {
    await server.close()
    await database.drop()
  }
})

it('Every panel of docs/grafana.json has a title and a query', () => {
  for (const { title, targets } of dashboard.panels) {
    expect(title).not.toBe('')
    expect(targets.length).toBeGreaterThan(0)
  }
})
