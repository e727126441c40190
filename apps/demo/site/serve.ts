import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerOptions } from '@octavo/server'

type Middleware = NonNullable<ServerOptions['middleware']>[number]

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** The page runs its own files only; the data come from the same server. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Serves the built site at `/library`. Every path below it is a page of the site, except its files; without a build it
 * serves nothing.
 */
export function site(): Middleware {
  const root = fileURLToPath(new URL('../dist/site', import.meta.url))
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : []
  const files = new Map(
    names
      .filter((name) => types[path.extname(name)])
      .map((name) => [
        `/library/${name.replaceAll(path.sep, '/')}`,
        readFileSync(path.join(root, name), 'utf8'),
      ]),
  )
  const page = files.get('/library/index.html')
  return (context, next) => {
    if (
      page === undefined ||
      !/^\/library(?:\/|$)/.test(context.path) ||
      !/^(?:GET|HEAD)$/.test(context.method)
    )
      return next()
    const file = files.get(context.path)
    if (file === undefined && path.extname(context.path) !== '') return next()
    context.set('Content-Security-Policy', policy)
    context.set(
      'Cache-Control',
      context.path.startsWith('/library/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    )
    context.type = types[path.extname(context.path)] ?? 'text/html; charset=utf-8'
    context.body = file ?? page
    return undefined
  }
}
