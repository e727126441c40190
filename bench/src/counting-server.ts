/**
 * Octavo with a count of the round trips to the database. A round trip counts when the code of a request started it: statements in the
 * background (of timers, listeners and checks) do not. Run as a child process, with the database and the mode.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { answerUsage } from './child.ts'
import { createMeasured, type Mode } from './users.ts'

const requests = new AsyncLocalStorage<true>()
let roundTrips = 0
const query = pg.Client.prototype.query
// Every round trip passes here, in the pool and in transactions. The types are of many overloads.
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  if (requests.getStore()) roundTrips += 1
  return Reflect.apply(query, this, args)
} as typeof query

const [, , database = 'memory://', mode = 'plain'] = process.argv
const octavo = await createMeasured(database, mode as Exclude<Mode, 'start'>) // given by main.ts
const answer = octavo.app.callback()
const server = createServer((request, response) => requests.run(true, () => void answer(request, response)))
server.listen(0, '127.0.0.1', () => answerUsage((server.address() as AddressInfo).port, () => roundTrips))
