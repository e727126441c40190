/** The warnings about roles, and the roles that a data file has just brought. */
import { defineContentType, importData, type Logger, type Octavo } from '@octavo/core'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'
import { type UsersPermissionsOptions, usersPermissions } from '../src/index.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
})

interface Line {
  readonly message: string
  readonly fields: object
}

/** A server that listens, and what it has logged. */
async function start(options: UsersPermissionsOptions, bring?: (octavo: Octavo) => Promise<unknown>) {
  const database = await createTestDatabase()
  const log: Line[] = []
  const write = (fields: object, message: string): void => void log.push({ message, fields })
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger }
  const server = await createServer({
    contentTypes: [article],
    plugins: [usersPermissions({ jwt: { secret: 'thirty-two characters, or somewhat more' }, ...options })],
    database: database.url,
    logger,
  })
  await bring?.(server.octavo)
  const { url } = await server.listen(0, '127.0.0.1')
  const close = async (): Promise<void> => {
    await server.close()
    await database.drop()
  }
  return { log, url, close }
}

it.each([
  [true, 'api::article.article.find'],
  [false, 'plugin::users-permissions.user.me'],
])(
  'A warning that nobody may read content is logged when the server listens, except with a permission of the data file: %s',
  async (isOpen, action) => {
    const roles = [{ id: 1, name: 'Public', type: 'public', permissions: [action] }]
    const { log, close } = await start({}, (octavo) => importData(octavo, { entries: {}, roles } as never))
    expect(log.some(({ message }) => message.startsWith('No role has a permission'))).toBe(!isOpen)
    expect(log.filter(({ message }) => message === 'Plugins with unrestricted access')).toHaveLength(1)
    await close()
  },
)

it.each([
  [{ defaultRole: 'member' }, true],
  [{ defaultRole: 'member', enabled: false }, false],
  [{}, false],
])('With register: %o a warning that new users get no role is logged: %s', async (register, isWarned) => {
  const { log, url, close } = await start({ register })
  expect(
    log.filter(({ message }) => message.startsWith('There is no role of the type "member"')),
  ).toHaveLength(isWarned ? 1 : 0)
  if (isWarned) {
    const api = createClient(url)
    const body = { username: 'grace', email: 'grace@example.org', password: 'a long password' }
    const refused = await api.post('/api/auth/local/register', { body })
    expect([refused.status, refused.body.error.details.code]).toEqual([400, 'auth/no-role'])
  }
  await close()
})
