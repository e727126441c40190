/** The requests of docs/editors.md, sent in their order to a server with editors that has just started. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Logger, silentLogger } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { webhooks } from '@octavo/plugin-webhooks'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exchange } from './support/exchange.ts'
import { blocksOf, pageFile, readPage } from './support/pages.ts'

const page = 'editors.md'
const localized = { pluginOptions: { i18n: { localized: true } } }

let server: Server
let database: TestDatabase
let folder: string
let url: string
/** The link for the first editor, which the start logs. */
let link = ''
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-docs-editors-'))
  database = await createTestDatabase()
  const logger: Logger = {
    ...silentLogger,
    info: (fields) => {
      if (typeof fields === 'object' && 'link' in fields) link = String(fields.link)
    },
    child: () => logger,
  }
  server = await createServer({
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'article', pluralName: 'articles' },
        options: { draftAndPublish: true },
        ...localized,
        attributes: {
          title: { type: 'string', ...localized },
          summary: { type: 'string', ...localized },
          body: { type: 'text', ...localized },
          seo: { type: 'component', component: 'shared.seo', ...localized },
        },
      },
    ],
    components: [{ uid: 'shared.seo', attributes: { metaTitle: { type: 'string' } } }],
    plugins: [
      i18n({ locales: ['en', 'fr'] }),
      draftPublish({ actions: true }),
      upload({ provider: localDisk({ folder }) }),
      usersPermissions({ jwt: { secret: 'the secret of the documentation, 32 characters' } }),
      webhooks(),
      editors({ acceptUrl: 'https://example.org/desk/accept' }),
    ],
    database: database.url,
    rateLimit: false,
    logger,
  })
  url = (await server.listen(0, '127.0.0.1')).url
})
afterAll(async () => {
  await server?.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** The cookie of a session of Ada, which no page can show. */
async function signIn(request: string): Promise<string> {
  const response = await fetch(`${url}/desk/api/login`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: request.slice(request.indexOf('{')),
  })
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

it('The page has the answers of a server to its requests', async () => {
  const text = readPage(page)
  const blocks = blocksOf(text)
  let cookie = ''
  let answered = ''
  let end = 0
  for (const [i, block] of blocks.entries()) {
    if (block.language !== 'http' || block.note?.startsWith('not run')) continue
    const request = block.code
      .replace('m3vY…', link.split('#')[1] ?? '')
      .replace('Origin: http://localhost:1337', `Origin: ${url}${cookie === '' ? '' : `\nCookie: ${cookie}`}`)
    const { status, code } = await exchange(request, { url, secrets: {} })
    expect(status, `line ${block.line}: ${code}`).toBeLessThan(300)
    if (block.code.includes('/desk/api/login')) cookie = await signIn(request)
    const next = blocks[i + 1]
    const isAnswer = next?.language === 'json' && text.slice(block.to, next.from).trim() === ''
    // Secrets differ in each run.
    const shown = code.replaceAll(/[\w-]{43}(?=")/g, 'Xw0…')
    answered += `${text.slice(end, block.to)}\n\n\`\`\`json\n${shown}\`\`\``
    end = isAnswer ? next.to : block.to
  }
  await expect(answered + text.slice(end)).toMatchFileSnapshot(pageFile(page))
})
