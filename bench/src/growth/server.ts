/** A server of a dimension and size. Run as a child process, with the database, the name and the size. */
import module from 'node:module'

const [, , database = '', name = '', size = '1', compiled = ''] = process.argv
// As `octavo start` does, before it loads anything.
module.enableCompileCache(compiled)
process.once('SIGTERM', () => process.exit())

const { silentLogger } = await import('@octavo/core')
const { createServer } = await import('@octavo/server')
const { answerUsage } = await import('../child.ts')
const { dimensions } = await import('./dimensions.ts')
const dimension = dimensions.find((one) => one.name === name)
if (!dimension) throw new Error(`There is no dimension "${name}"`)
const server = await createServer({
  ...dimension.server(Number(size)),
  database,
  // Where no plugin decides.
  access: 'open',
  rateLimit: false,
  logger: silentLogger,
})
const { port } = await server.listen(0, '127.0.0.1')
answerUsage(port)
