/** The client in Chromium: from a page of the server itself, and from a page of another site. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromiumOptions, chromiumPath } from '@octavo/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as client from '../src/index.ts'
import { bundle } from './bundle.ts'
import { openSite, type Site } from './site.ts'

// A busy machine takes a minute to start a browser.
vi.setConfig({ hookTimeout: 180_000, testTimeout: 120_000 })
const executablePath = chromiumPath()

/** The client, in a page. */
declare const octavo: typeof client

describe.runIf(executablePath)('in Chromium', () => {
  let site: Site
  let browser: Browser
  let elsewhere: ReturnType<typeof createServer>
  let script: Uint8Array

  beforeAll(async () => {
    script = await bundle(`import * as octavo from './index.ts'; globalThis.octavo = octavo`)
    const answered = (path: string): readonly [string, string | Uint8Array] | undefined =>
      path === '/client.js'
        ? ['text/javascript; charset=utf-8', script]
        : path === '/page'
          ? [
              'text/html; charset=utf-8',
              '<!doctype html><title>A page</title><script type="module" src="/client.js"></script>',
            ]
          : undefined
    let limited = 0
    site = await openSite({
      middleware: [
        async (context, next) => {
          const file = answered(context.path)
          if (file) {
            context.set('Content-Security-Policy', "default-src 'self'")
            context.type = file[0]
            context.body = typeof file[1] === 'string' ? file[1] : Buffer.from(file[1])
          } else if (context.path === '/api/limited' && limited++ === 0) {
            context.status = 429
            context.set('Retry-After', '30')
            context.body = {}
          } else if (context.path === '/api/moved') {
            context.status = 301
            context.set('Location', '/api/articles')
          } else await next()
        },
      ],
    })
    elsewhere = createServer((request, response) => {
      const [type, body] = answered(request.url ?? '') ?? ['text/plain', '']
      response.setHeader('content-type', type)
      response.end(body)
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch(chromiumOptions())
    const { auth } = (await import('../src/index.ts')).createClient({ url: site.url })
    await auth.register({ username: 'ada', email: 'ada@example.org', password: 'Password123' })
  })
  afterAll(async () => {
    await browser?.close()
    elsewhere?.close()
    await site?.close()
  })

  const open = async (origin: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${origin}/page`)
    return page
  }
  const origins = () => [site.url, `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`]

  it.each([0, 1])(
    'logs in, writes, uploads with progress and reads, from the own or another site (%i)',
    async (n) => {
      const page = await open(origins()[n] ?? '')
      const seen = await page.evaluate(async (url) => {
        const { createClient, webSession } = octavo
        const api = createClient({ url, session: webSession(localStorage), cache: 5 })
        await api.auth.login({ identifier: 'ada', password: 'Password123' })
        // A stale token is renewed.
        const session = await api.auth.session()
        localStorage.setItem('octavo', JSON.stringify({ ...session, jwt: 'stale' }))
        const me = await api.users.me()
        const progress: { loaded: number; total: number }[] = []
        const [file] = await api.files.upload(new File([new Uint8Array(300_000)], 'a.bin'), {
          onProgress: (step) => progress.push(step),
        })
        const { data } = await api.entries('authors').create({ name: 'Ada' })
        const read = []
        for await (const entry of api.entries('authors').all({ filters: { id: data.id } }))
          read.push(entry.attributes.name)
        const first = await api.entries('authors').find()
        const again = await api.entries('authors').find()
        // Another site reads the ETag as well.
        const { etag } = await api.entries('authors').findOne(data.id)
        const { meta } = await api.changes.find()
        await api.entries('authors').update(data.id, { name: 'Eva' }, {}, { headers: { 'If-Match': etag } })
        const changes = []
        for await (const change of api.changes.follow({ since: meta.cursor })) {
          changes.push(`${change.kind} ${change.type}`)
          break
        }
        await api.auth.logout()
        return {
          me: me.username,
          file: file?.size,
          progress: progress.at(-1),
          read,
          changes,
          isSame: JSON.stringify(first) === JSON.stringify(again),
          stored: localStorage.getItem('octavo'),
        }
      }, site.url)
      expect(seen).toEqual({
        me: 'ada',
        file: 300,
        progress: { loaded: 300_000, total: 300_000 },
        read: ['Ada'],
        changes: ['updated api::author.author'],
        isSame: true,
        stored: null,
      })
    },
  )

  it('uploads with the own fetch of the client, which reports the end', async () => {
    const page = await open(site.url)
    const seen = await page.evaluate(async () => {
      const sent: string[] = []
      const api = octavo.createClient({
        fetch: (url, init) => {
          sent.push(`${init?.method} ${String(url)}`)
          return fetch(url, init)
        },
      })
      await api.auth.login({ identifier: 'ada', password: 'Password123' })
      const progress: { loaded: number; total: number }[] = []
      await api.files.upload(new File([new Uint8Array(3000)], 'a.bin'), {
        onProgress: (step) => progress.push(step),
      })
      return { sent, progress }
    })
    expect(seen).toEqual({
      sent: ['POST /api/auth/local', 'POST /api/upload'],
      progress: [{ loaded: 3000, total: 3000 }],
    })
  })

  it('two tabs can renew a session at the same time', async () => {
    const context = await browser.newContext()
    const pages = await Promise.all([context.newPage(), context.newPage()])
    for (const page of pages) await page.goto(`${site.url}/page`)
    await pages[0]?.evaluate(async () => {
      const { createClient, webSession } = octavo
      const api = createClient({ session: webSession(localStorage) })
      const { refreshToken } = await api.auth.login({ identifier: 'ada', password: 'Password123' })
      localStorage.setItem('octavo', JSON.stringify({ jwt: 'stale', refreshToken }))
    })
    // A tab may see a change of the storage late.
    for (const page of pages)
      await page.waitForFunction(() => localStorage.getItem('octavo')?.includes('stale'))
    const names = await Promise.all(
      pages.map((page) =>
        page.evaluate(async () => {
          const { createClient, webSession } = octavo
          return (await createClient({ session: webSession(localStorage) }).users.me()).username
        }),
      ),
    )
    expect(names).toEqual(['ada', 'ada'])
  })

  it('an aborted upload rejects with the reason, and a refused one with its error', async () => {
    const page = await open(site.url)
    const seen = await page.evaluate(async () => {
      const { createClient } = octavo
      const api = createClient()
      const file = new File([new Uint8Array(3_000_000)], 'a.bin')
      const refused = await api.files.upload(file, { onProgress: () => {} }).catch((error) => error.name)
      await api.auth.login({ identifier: 'ada', password: 'Password123' })
      const controller = new AbortController()
      const aborted = await api.files
        .upload(file, { signal: controller.signal, onProgress: () => controller.abort(new Error('stopped')) })
        .catch((error) => error.message)
      return { refused, aborted }
    })
    expect(seen).toEqual({ refused: 'ForbiddenError', aborted: 'stopped' })
  })

  it('a write that is redirected fails, although the page does not see the address', async () => {
    const page = await open(site.url)
    const seen = await page.evaluate(async () => {
      const api = octavo.createClient()
      const [write, read] = await Promise.allSettled([
        api.request('POST', '/moved'),
        api.request('GET', '/moved'),
      ])
      return [write.status === 'rejected' && `${write.reason.name}: ${write.reason.message}`, read.status]
    })
    expect(seen).toEqual([
      'HttpError: A write is not redirected: use the address that the server redirects to',
      'fulfilled',
    ])
  })

  it('a page of another site can read Retry-After', async () => {
    const page = await open(origins()[1] ?? '')
    const seen = await page.evaluate(async (url) => {
      const { createClient } = octavo
      return createClient({ url })
        .request('GET', '/limited')
        .catch(({ status, retryAfter }) => ({ status, retryAfter }))
    }, site.url)
    expect(seen).toEqual({ status: 429, retryAfter: 30 })
  })
})
