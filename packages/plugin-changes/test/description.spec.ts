import { silentLogger } from '@octavo/core'
import { changes } from '@octavo/plugin-changes'
import { describeServer, openapi } from '@octavo/plugin-openapi'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'

interface Description {
  readonly paths: Readonly<Record<string, { readonly get?: object }>>
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> }
}

it('The description of the API has the feed, with the properties of its answers', async () => {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'memo', pluralName: 'memos' },
        attributes: { text: { type: 'string' } },
      },
    ],
    database: database.url,
    access: 'open',
    logger: silentLogger,
    plugins: [changes(), openapi()],
  })
  try {
    const { paths, components } = describeServer(server) as unknown as Description
    const described = paths['/api/_changes']?.get
    expect(described).toMatchObject({ operationId: 'findChanges', tags: ['Changes'] })
    expect(JSON.stringify(described)).toContain('"name":"since"')

    const api = createClient((await server.listen(0, '127.0.0.1')).url)
    const { cursor } = (await api.get('/api/_changes')).body.meta
    await api.post('/api/memos', { body: { data: { text: 'x' } } })
    const { data, meta } = (await api.get(`/api/_changes?since=${cursor}`)).body
    expect(Object.keys(data[0]).sort()).toEqual(
      Object.keys(components.schemas.Change?.properties ?? {}).sort(),
    )
    for (const name of Object.keys(meta)) expect(JSON.stringify(described)).toContain(`"${name}":{`)
  } finally {
    await server.close()
    await database.drop()
  }
})
