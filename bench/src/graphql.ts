/** GraphQL beside REST of the same server: the same entries with the same values, as ratios of requests a second. */
import { deepStrictEqual } from 'node:assert/strict'
import { Child } from './child.ts'
import { type Load, measure, warmUpOf } from './measure.ts'
import type { Measured, Round } from './record.ts'
import { createMeasured } from './users.ts'

interface GraphqlScenario {
  readonly name: string
  /** The request of REST. */
  readonly path: string
  readonly query: string
  readonly variables?: object
}

const all = 'title slug body summary status rating views featured publishedOn createdAt updatedAt'
const page = 'pagination[limit]=25&pagination[withCount]=false'
const populate = (...names: readonly string[]): string =>
  `populate[${names.join('][populate][')}][fields]=name&populate[${names.join('][populate][')}][limit]=10`

const graphqlScenarios: readonly GraphqlScenario[] = [
  {
    name: 'GraphQL: list of 25',
    path: '/api/articles?pagination[limit]=25',
    query: `{ articles(pagination: { limit: 25 }) { data { id attributes { ${all} } } meta { pagination { total page pageSize pageCount } } } }`,
  },
  {
    name: 'GraphQL: one by id',
    path: '/api/articles/7',
    query: `query ($id: ID) { article(id: $id) { data { id attributes { ${all} } } } }`,
    variables: { id: 7 },
  },
  {
    name: 'GraphQL: four relations deep',
    path: `/api/articles?fields=title&${page}&${[
      populate('categories'),
      populate('categories', 'parent').replace(/&[^&]*limit\]=10$/, ''),
      populate('categories', 'parent', 'children'),
      populate('categories', 'parent', 'children', 'parent').replace(/&[^&]*limit\]=10$/, ''),
    ].join('&')}`,
    query: `{ articles(pagination: { limit: 25 }) { data { id attributes { title categories { data { id attributes { name parent { data { id attributes { name
      children { data { id attributes { name parent { data { id attributes { name } } } } } } } } } } } } } } } }`,
  },
]

/** @throws Error when both answer differently */
export async function measureGraphql({
  database,
  rounds,
  only,
  ...load
}: Load & { readonly database: string; readonly rounds: number; readonly only: string }): Promise<
  readonly Measured[]
> {
  const chosen = graphqlScenarios.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) return []
  await (await createMeasured(database, 'graphql')).close()
  const child = await Child.start('./octavo-server.ts', database, 'graphql')
  const measured: Measured[] = []
  try {
    for (const { name, path, query, variables } of chosen) {
      const body = JSON.stringify({ query, variables })
      const common = { name, ceiling: { kind: 'read', list: false, text: '', values: () => [] } } as const
      const rest = { ...common, method: 'GET', paths: () => [path] } as const
      const graphql = { ...common, method: 'POST', paths: () => ['/graphql'], body } as const
      deepStrictEqual(
        await dataOfGraphql(child, body),
        await dataOfRest(child, path),
        `${name}: REST answers something else`,
      )
      const own: Round[] = []
      // In turn, so that a slower machine affects both.
      for (let i = 0; i < rounds; i++) {
        const warm = { ...load, warmUp: warmUpOf(i, load.seconds) }
        own.push({ octavo: await measure(child, graphql, warm), ceiling: await measure(child, rest, warm) })
      }
      measured.push({ name, rounds: own })
    }
  } finally {
    await child.stop()
  }
  return measured
}

async function dataOfGraphql({ url }: Child, body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
  const { data } = (await response.json()) as {
    readonly data: Readonly<Record<string, { readonly data: unknown }>>
  }
  return Object.values(data)[0]?.data
}

/** Ids of GraphQL are texts. */
async function dataOfRest({ url }: Child, path: string): Promise<unknown> {
  const text = await (await fetch(url + path)).text()
  return JSON.parse(text, (name, value) => (name === 'id' ? String(value) : value)).data
}
