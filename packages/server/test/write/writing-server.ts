/** A server in a process of its own, for a test that kills it in the middle of writing. Argument: the database. */
import { createServer } from '@octavo/server'
import { crashTypes } from './writing-server-types.ts'

const server = await createServer({ ...crashTypes, access: 'open', database: process.argv[2] ?? '' })
const { url } = await server.listen(0, '127.0.0.1')
process.stdout.write(`${url}\n`)
