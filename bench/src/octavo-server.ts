/** Octavo as it is installed, without a log. Run as a child process, with the database and the mode. */
import { answerUsage } from './child.ts'
import { createMeasured, type Mode } from './users.ts'

const [, , database = 'memory://', mode = 'plain'] = process.argv
const server = await createMeasured(database, mode as Exclude<Mode, 'start'>) // given by main.ts
const { port } = await server.listen(0, '127.0.0.1')
answerUsage(port)
