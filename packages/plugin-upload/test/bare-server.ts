/** A server in a process of its own, which prints its address, its warnings and why a bucket cannot be used. Arguments: a folder and a database. */
import path from 'node:path'
import { type Logger, silentLogger } from '@octavo/core'
import { localDisk, s3, upload } from '@octavo/plugin-upload'
import { createServer } from '@octavo/server'

const logger: Logger = {
  ...silentLogger,
  warn: (_fields, message) => process.stdout.write(`${message}\n`),
  child: () => logger,
}
const folder = path.join(process.argv[2] ?? '', 'kept')
const database = process.argv[3] ?? 'memory://'
const server = await createServer({
  logger,
  database,
  plugins: [upload({ provider: localDisk({ folder }), active: 'sanitize' })],
  access: 'open',
})
await s3({ bucket: 'media', signedUrls: 60 })
  .start?.()
  .catch((error: Error) => process.stdout.write(`${error.name}: ${error.message}\n`))
const { url } = await server.listen(0, '127.0.0.1')
process.stdout.write(`${url}\n`)
