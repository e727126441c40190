/** Octavo with the content-types of the comparison, open to everybody and without a log, like the other servers. */
import { silentLogger } from '@octavo/core'
import { graphql } from '@octavo/plugin-graphql'
import { createServer } from '@octavo/server'
import { schemas } from './strapi.ts'

const server = await createServer({
  contentTypes: schemas,
  database: process.env.DATABASE_URL ?? 'memory://',
  access: 'open',
  logger: silentLogger,
  plugins: [graphql({ depthLimit: 20 })],
})
const { port } = await server.listen(Number(process.env.PORT), '127.0.0.1')
process.send?.(port)
