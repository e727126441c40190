import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentials, openSite, type Site } from './site.ts'

interface Node {
  readonly id: string
  readonly title?: string
  readonly strapi_id?: number
  readonly internal: { readonly type: string }
  readonly [key: string]: unknown
}

/** The plugin's own code; it has no types. */
const { sourceNodes } = createRequire(import.meta.url)('gatsby-source-strapi/gatsby-node.js') as {
  sourceNodes(gatsby: object, config: object): Promise<void>
}

let site: Site
let accessToken: string
beforeAll(async () => {
  site = await openSite()
  const login = await fetch(`${site.url}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  accessToken = ((await login.json()) as { jwt: string }).jwt
})
afterAll(() => site.close())

/** The nodes that the plugin makes, given what Gatsby gives it. */
async function nodesOf(config: object): Promise<readonly Node[]> {
  const nodes: Node[] = []
  const kept = new Map<string, unknown>()
  const panics: unknown[] = []
  await sourceNodes(
    {
      actions: { createNode: (node: Node) => nodes.push(node), deleteNode: () => {}, touchNode: () => {} },
      createContentDigest: JSON.stringify,
      createNodeId: (id: string) => id,
      reporter: { info: () => {}, panic: (message: unknown) => panics.push(message) },
      getCache: () => undefined,
      cache: {
        get: async (key: string) => kept.get(key),
        set: async (key: string, value: unknown) => kept.set(key, value),
      },
      getNodes: () => nodes,
      getNode: (id: string) => nodes.find((node) => node.id === id),
      store: {},
    },
    { apiURL: site.url, accessToken, version: 4, skipFileDownloads: true, ...config },
  )
  expect(panics).toEqual([])
  return nodes
}

describe('gatsby-source-strapi', () => {
  it('makes nodes of collection types and single types, with their relations and components', async () => {
    const nodes = await nodesOf({
      collectionTypes: [
        {
          singularName: 'article',
          queryLimit: 1,
          queryParams: { publicationState: 'live', populate: { author: '*', seo: '*' } },
        },
      ],
      singleTypes: ['homepage'],
    })
    const of = (type: string): readonly Node[] => nodes.filter(({ internal }) => internal.type === type)
    expect(of('STRAPI_ARTICLE').map(({ title }) => title)).toEqual(['Emma', 'Persuasion'])
    expect(of('STRAPI_AUTHOR')[0]).toMatchObject({ name: 'Jane Austen' })
    expect(of('STRAPI__COMPONENT_SHARED_SEO')[0]).toMatchObject({ title: 'On Emma' })
    expect(of('STRAPI_HOMEPAGE')[0]).toMatchObject({ welcome: 'Hello' })
  })

  it('needs the right to read the definitions', async () => {
    await expect(nodesOf({ accessToken: undefined, collectionTypes: ['article'] })).rejects.toThrow('403')
  })
})
