import { finished } from 'node:stream/promises'
import type { OctavoError } from '@octavo/core'
import { networkOf, type RouteContext, type Routes } from '@octavo/server'
import mime from 'mime'
import send from 'send'
import type { Files } from '../files/files.ts'
import { type Variants, variantCache } from '../pictures/variants.ts'
import { problem } from '../problems.ts'
import { type CacheRule, originals } from '../storage/cache-rule.ts'
import { isKey } from '../storage/names.ts'
import type { StorageProvider } from '../storage/provider.ts'
import { isShown } from '../storage/shown.ts'

/** Types that a page could load as code. They are served as bytes. */
const code = /javascript|ecmascript|wasm|xhtml/

/** Disables scripts, forms and frames, and gives the document an origin of its own. */
const sandbox = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

interface ServedParts {
  readonly provider: StorageProvider
  readonly variants: Variants | undefined
  /** Called by requests only. */
  readonly files: () => Files
}

/** Registers `/uploads/:name`, unless clients read all files elsewhere. */
export function addServing(routes: Routes, { provider, variants, files }: ServedParts): void {
  if (!provider.serving && !variants) return
  routes.add({
    method: 'GET',
    path: '/uploads/:name',
    root: true,
    handler: async (context) => {
      const { name = '' } = context.params
      const { w, h, format } = context.query
      if (!variants || (w ?? h ?? format) === undefined) return serve(context, name, provider, originals)
      const key = await variants.keyOf(name, { w, h, format }, files(), `address ${networkOf(context.ip)}`)
      await serve(context, key, provider, variantCache)
    },
  })
}

/** Answers `/uploads/<key>`: whole, in ranges, or 304. @throws NotFoundError */
async function serve(
  context: RouteContext,
  key: string,
  { serving, url }: StorageProvider,
  cache: CacheRule,
): Promise<void> {
  if (!isKey(key)) throw missing()
  if (serving?.kind === 'folder') return stream(context, key, serving.folder, cache)
  context.set('Cache-Control', serving ? 'private, no-store' : `public, max-age=${cache.age}`)
  const method = context.method === 'HEAD' ? 'HEAD' : 'GET'
  context.redirect(serving ? await serving.address(key, method) : url(key))
}

async function stream(
  context: RouteContext,
  key: string,
  folder: string,
  { age, immutable }: CacheRule,
): Promise<void> {
  const { req, res } = context
  // send evaluates conditional headers only where the status is 200.
  context.status = 200
  setType(context, key)
  await new Promise<void>((resolve, reject) => {
    send(req, key, { root: folder, index: false, dotfiles: 'deny', maxAge: age * 1000, immutable })
      .on('headers', () => {
        // From here on send writes the response. A client that leaves meanwhile is not an error.
        context.respond = false
        finished(res).then(resolve, () => resolve())
      })
      .on('error', (error: SendError) => {
        context.respond = true
        unset(context)
        const [range] = Object.values(error.headers ?? {})
        if (range !== undefined) context.set('Content-Range', range)
        reject(error.status === 404 || error.status === 403 ? missing() : error)
      })
      .on('directory', () => reject(missing()))
      .pipe(res)
  })
}

/** An error of http-errors. */
interface SendError extends Error {
  readonly status?: number
  /** Present for a range beyond the end of the file. */
  readonly headers?: Readonly<Record<string, string>>
}

function setType(context: RouteContext, key: string): void {
  const type = mime.getType(key) ?? 'application/octet-stream'
  context.set('Content-Type', code.test(type) ? 'application/octet-stream' : withCharset(type))
  context.set('Content-Security-Policy', sandbox)
  if (!isShown(type)) context.set('Content-Disposition', 'attachment')
  if (type === 'application/pdf') {
    // A browser's PDF viewer does not start in a sandbox, nor where frames are refused. It runs apart from the page.
    context.remove('Content-Security-Policy')
    context.remove('X-Frame-Options')
  }
}

/** Removes the headers of the file before an error is answered. */
function unset(context: RouteContext): void {
  for (const name of ['Content-Disposition', 'Cache-Control', 'Last-Modified', 'ETag', 'Accept-Ranges'])
    context.remove(name)
}

const withCharset = (type: string): string =>
  type.startsWith('text/') || type === 'application/json' ? `${type}; charset=utf-8` : type

const missing = (): OctavoError => problem('upload/not-found')
