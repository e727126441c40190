/** The server of the measurements of the desk. Run as a child process, with the database and a folder for files. */
const [, , database = '', folder = ''] = process.argv
process.once('SIGTERM', () => process.exit())

const { silentLogger } = await import('@octavo/core')
const { desk } = await import('@octavo/plugin-desk')
const { draftPublish } = await import('@octavo/plugin-draft-publish')
const { editors } = await import('@octavo/plugin-editors')
const { i18n } = await import('@octavo/plugin-i18n')
const { localDisk, upload } = await import('@octavo/plugin-upload')
const { createServer } = await import('@octavo/server')
const { answerUsage } = await import('../child.ts')
const { begin, components, contentTypes } = await import('./site.ts')

const server = await createServer({
  contentTypes,
  components,
  plugins: [
    i18n({ locales: ['en', 'fr'], defaultLocale: 'en' }),
    draftPublish(),
    upload({ provider: localDisk({ folder }) }),
    editors(),
    desk({ title: 'The benchmark' }),
  ],
  database,
  rateLimit: false,
  logger: silentLogger,
})
await begin(server.octavo)
const { port } = await server.listen(0, '127.0.0.1')
answerUsage(port)
