/** Octavo with the content-types of the comparison, open to everybody and without a log and limits of attempts, like the other servers. */
import { silentLogger } from '@octavo/core'
import { graphql } from '@octavo/plugin-graphql'
import { upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { publicActions, schemas } from './strapi-project.ts'

const server = await createServer({
  contentTypes: schemas,
  database: process.env.DATABASE_URL ?? 'memory://',
  rateLimit: false,
  logger: silentLogger,
  plugins: [
    graphql({ depthLimit: 20 }),
    upload(),
    // The rights on related entries are those of Strapi.
    usersPermissions({ permissions: { public: publicActions }, farSide: 'find' }),
  ],
})
const { port } = await server.listen(Number(process.env.PORT), '127.0.0.1')
process.send?.(port)
