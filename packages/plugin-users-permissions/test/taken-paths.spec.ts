import { defineContentType, silentLogger } from '@octavo/core'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { describe, expect, it } from 'vitest'

describe('A content-type named user', () => {
  const start = async (pluralName: string) => {
    const database = await createTestDatabase()
    const user = defineContentType({
      kind: 'collectionType',
      collectionName: 'people',
      info: { singularName: 'user', pluralName },
      attributes: { name: { type: 'string' } },
    })
    try {
      const server = await createServer({
        contentTypes: [user],
        plugins: [usersPermissions({ permissions: { public: ['api::user.user.find'] } })],
        database: database.url,
        logger: silentLogger,
      })
      await server.close()
    } finally {
      await database.drop()
    }
  }

  it('stops the start where its endpoints are those of accounts', async () => {
    await expect(start('users')).rejects.toThrow(
      'The content-type api::user.user has endpoints that belong to routes of plugins ("users-permissions"): GET /api/users, GET /api/users/:id, POST /api/users, PUT /api/users/:id, DELETE /api/users/:id. Give it another info.pluralName than "users", or give a route of your own another path, or replaces: true to answer in its place',
    )
  })

  it('starts with another plural name', async () => {
    await expect(start('people')).resolves.toBeUndefined()
  })
})
