/** Octavo as it is installed, without a log. Run as a child process. */
import pg from 'pg'
import { answerUsage } from './child.ts'
import { createMeasured } from './users.ts'

let statements = 0
const query = pg.Client.prototype.query
// The one place that every statement passes, in the pool and in transactions. The types are of many overloads.
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  statements += 1
  return Reflect.apply(query, this, args)
} as typeof query

const server = await createMeasured(process.argv[2] ?? 'memory://', process.argv[3] === 'users')
const { port } = await server.listen(0, '127.0.0.1')
answerUsage(port, () => statements)
