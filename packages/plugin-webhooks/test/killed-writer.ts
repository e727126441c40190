/**
 * Creates an entry in the database of the first argument. With a second argument, the URL of a webhook, it is a server that
 * delivers the event; else it is a program that is killed as soon as the entry is committed.
 */
import { draftPublish } from '@octavo/plugin-draft-publish'
import { webhooks } from '@octavo/plugin-webhooks'
import { createServer } from '@octavo/server'
import { article, hookTo } from './site.ts'

const [, , database = '', url] = process.argv
const server = await createServer({
  contentTypes: [article],
  plugins: [draftPublish(), webhooks({ webhooks: [hookTo(url ?? 'http://127.0.0.1:1/')], timeout: 1_000 })],
  database,
  access: 'open',
})
if (url !== undefined) await server.listen(0, '127.0.0.1')
await server.octavo.entries('article').create({ title: 'Survivor' })
if (url === undefined) process.kill(process.pid, 'SIGKILL')
