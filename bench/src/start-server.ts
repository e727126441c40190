/** A server of 50 content-types. Run as a child process, with the database and the folder of the compiled code. */
import module from 'node:module'

const [, , database = 'memory://', compiled = ''] = process.argv
// As `octavo start` does, before it loads anything.
module.enableCompileCache(compiled)
// A process that is killed stores nothing.
process.once('SIGTERM', () => process.exit())

const { createServer } = await import('@octavo/server')
const { startTypes } = await import('./start.ts')
const { answerUsage } = await import('./child.ts')
const server = await createServer({
  contentTypes: startTypes,
  database,
  withoutPlugin: ['users-permissions'],
})
const { port } = await server.listen(0, '127.0.0.1')
answerUsage(port)
