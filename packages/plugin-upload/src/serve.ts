import { finished } from 'node:stream/promises'
import { NotFoundError } from '@octavo/core'
import type { RouteContext } from '@octavo/server'
import mime from 'mime'
import send from 'send'
import { isKey } from './names.ts'
import type { StorageProvider } from './provider.ts'

/** What browsers show without running anything of it. */
const shownTypes =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|tiff|bmp|x-icon|heic)|(?:video|audio)\/[\w.+-]+|text\/plain|application\/pdf)$/

export const isShown = (type: string): boolean => shownTypes.test(type)

/** What a page could load as code: it goes out as bytes. */
const code = /javascript|ecmascript|wasm|xhtml/

/** No script, form or frame of it works, and nothing of it counts as being of this origin. */
const sandbox = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/** How long caches may give a file without asking, in seconds. */
export interface CacheRule {
  readonly age: number
  readonly immutable: boolean
}

/** A file that is replaced keeps its address. */
export const originals: CacheRule = { age: 60, immutable: false }

/** Answers `/uploads/<key>`: whole, in ranges, or 304. @throws NotFoundError */
export async function serve(
  context: RouteContext,
  key: string,
  { serving, url }: StorageProvider,
  cache: CacheRule,
): Promise<void> {
  if (!isKey(key)) throw missing()
  if (serving?.kind === 'folder') return stream(context, key, serving.folder, cache)
  context.set('Cache-Control', serving ? 'private, no-store' : `public, max-age=${cache.age}`)
  context.redirect(serving ? await serving.address(key) : url(key))
}

async function stream(
  context: RouteContext,
  key: string,
  folder: string,
  { age, immutable }: CacheRule,
): Promise<void> {
  const { req, res } = context
  // As it is until something else is known: without it send would not look at conditions.
  context.status = 200
  setType(context, key)
  await new Promise<void>((resolve, reject) => {
    send(req, key, { root: folder, index: false, dotfiles: 'deny', maxAge: age * 1000, immutable })
      .on('headers', () => {
        // The answer is send's from here on. A client that leaves in the middle of it is no fault.
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
  /** Of a range that is beyond the file. */
  readonly headers?: Readonly<Record<string, string>>
}

function setType(context: RouteContext, key: string): void {
  const type = mime.getType(key) ?? 'application/octet-stream'
  context.set('Content-Type', code.test(type) ? 'application/octet-stream' : withCharset(type))
  context.set('Content-Security-Policy', sandbox)
  if (!isShown(type)) context.set('Content-Disposition', 'attachment')
  if (type === 'application/pdf') {
    // A browser's own viewer, which runs apart from the page, does not start in a sandbox, nor in a frame that is refused.
    context.remove('Content-Security-Policy')
    context.remove('X-Frame-Options')
  }
}

/** Takes back what belongs to a file, before an error is answered. */
function unset(context: RouteContext): void {
  for (const name of ['Content-Disposition', 'Cache-Control', 'Last-Modified', 'ETag', 'Accept-Ranges'])
    context.remove(name)
}

const withCharset = (type: string): string =>
  type.startsWith('text/') || type === 'application/json' ? `${type}; charset=utf-8` : type

const missing = (): NotFoundError => new NotFoundError('upload/not-found', 'Not Found')
