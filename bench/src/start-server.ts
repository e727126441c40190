/** A server of 50 content-types. Run as a child process. */
import { createServer } from '@octavo/server'
import { answerUsage } from './child.ts'
import { startTypes } from './start.ts'

const server = await createServer({
  contentTypes: startTypes,
  database: process.argv[2] ?? 'memory://',
  withoutPlugin: ['users-permissions'],
})
const { port } = await server.listen(0, '127.0.0.1')
answerUsage(port)
