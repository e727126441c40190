/** A server in a process of its own, whose memory a test looks at. Arguments: a folder and a database. */
import path from 'node:path'
import { silentLogger } from '@octavo/core'
import { localDisk, upload } from '@octavo/plugin-upload'
import { createServer } from '@octavo/server'

const [, , place = '', database = ''] = process.argv
const folder = path.join(place, 'kept')
const server = await createServer({
  logger: silentLogger,
  access: 'open',
  database,
  plugins: [upload({ provider: localDisk({ folder }), limits: { fileSize: 2 * 1_073_741_824 } })],
})
server.app.middleware.unshift(async (context, next) => {
  if (context.path === '/rss') context.body = String(process.memoryUsage().rss)
  else await next()
})
const { url } = await server.listen(0, '127.0.0.1')
process.stdout.write(`${url}\n`)
