/** The warning that no role has a permission for content, and the roles that a data file has just brought. */
import { defineContentType, importData, type Logger } from '@octavo/core'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'
import { usersPermissions } from '../src/index.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
})

it.each([
  [true, 'api::article.article.find'],
  [false, 'plugin::users-permissions.user.me'],
])(
  'A warning that nobody may read content is logged when the server listens, except with a permission of the data file: %s',
  async (isOpen, action) => {
    const database = await createTestDatabase()
    const log: { readonly message: string; readonly fields: object }[] = []
    const write = (fields: object, message: string): void => void log.push({ message, fields })
    const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger }
    const server = await createServer({
      contentTypes: [article],
      plugins: [usersPermissions({ jwt: { secret: 'thirty-two characters, or somewhat more' } })],
      database: database.url,
      logger,
    })
    const roles = [{ id: 1, name: 'Public', type: 'public', permissions: [action] }]
    await importData(server.octavo, { entries: {}, roles } as never)
    await server.listen(0, '127.0.0.1')
    expect(log.some(({ message }) => message.startsWith('No role has a permission'))).toBe(!isOpen)
    expect(log.filter(({ message }) => message === 'Plugins with unrestricted access')).toHaveLength(1)
    await server.close()
    await database.drop()
  },
)
