import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { Lazy } from '@octavo/core/internal'
import { admitOperator, type RouteContext, type Routes } from '@octavo/server'
import { problem } from '../problems.ts'

export interface PageOptions {
  /** Title of the API. */
  readonly title: string
  /** Address of the description that the page shows. */
  readonly description: string
  /** Origins of the API besides that of the page. */
  readonly origins: readonly string[]
  /** Whether a request may see the page. */
  readonly isAudience: (request: IncomingMessage) => boolean
}

/** The page `/docs`: Scalar's API reference, from files of this package. */
export function addPage(routes: Routes, options: PageOptions): void {
  // Routes of other plugins are complete when requests arrive.
  const hasPages = (): boolean => routes.endpoints().some(({ path }) => path === '/docs/query')
  const start = startOf(options)
  const policy = policyOf(options)
  const { resolve } = createRequire(import.meta.url)
  const own = resolve('@octavo/plugin-openapi/package.json')
  const scalar = new PackedFile(join(own, '../dist/scalar.js.br'))
  routes.add({
    method: 'GET',
    path: '/docs',
    root: true,
    handler: (context) => {
      if (admitOperator(context)) return
      if (!options.isAudience(context.req)) throw problem('openapi/local-only')
      context.set('Content-Security-Policy', policy)
      send(context, 'text/html', htmlOf(options, hasPages()))
    },
  })
  const look = join(resolve('@octavo/server/package.json'), '../look')
  for (const [path, file] of [
    ['/docs/tokens.css', join(look, 'tokens.css')],
    ['/docs/bar.css', join(look, 'bar.css')],
    ['/docs/style.css', join(own, '../page/style.css')],
  ] as const)
    routes.add({
      method: 'GET',
      path,
      root: true,
      handler: async (context) => send(context, 'text/css', await readFile(file, 'utf8')),
    })
  routes.add({
    method: 'GET',
    path: '/docs/start.js',
    root: true,
    handler: (context) => send(context, 'text/javascript', start),
  })
  routes.add({
    method: 'GET',
    path: '/docs/scalar.js',
    root: true,
    handler: (context) => scalar.send(context),
  })
}

/** Without a charset, browsers would read the text as Latin-1. */
function send(context: RouteContext, type: string, text: string): void {
  context.set('Cache-Control', 'no-cache')
  context.set('Content-Type', `${type}; charset=utf-8`)
  context.body = text
}

/** A script that is stored compressed, since it is large. */
class PackedFile {
  readonly #packed: Lazy<{ readonly packed: Buffer; readonly etag: string }>
  readonly #text: Lazy<string>

  constructor(path: string) {
    this.#packed = new Lazy(async () => {
      const packed = await readFile(path)
      return { packed, etag: `"${hash('sha1', packed, 'base64url')}"` }
    })
    this.#text = new Lazy(async () => {
      const { packed } = await this.#packed.get()
      return String(await promisify(brotliDecompress)(packed))
    })
  }

  /** @throws Error when the package was not built */
  async send(context: RouteContext): Promise<void> {
    const { packed, etag } = await this.#packed.get()
    context.set('Cache-Control', 'public, no-cache')
    context.set('Content-Type', 'text/javascript; charset=utf-8')
    context.vary('Accept-Encoding')
    context.status = 200
    if (context.acceptsEncodings('br') === 'br') {
      context.set('ETag', etag)
      if (context.fresh) {
        context.status = 304
        return
      }
      context.set('Content-Encoding', 'br')
      context.body = packed
    } else {
      // Plain HTTP from another machine: browsers accept Brotli over TLS and from localhost only.
      context.body = await this.#text.get()
    }
  }
}

/** Styles are set by Scalar's script; nothing else runs or is loaded from elsewhere. */
const policyOf = ({ origins }: PageOptions): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    ['connect-src', "'self'", ...origins].join(' '),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** @param hasPages Whether the pages of plugin-pages are there. */
const htmlOf = ({ title, description }: PageOptions, hasPages: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/tokens.css">
<link rel="stylesheet" href="/docs/bar.css">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header class="top"><p>Octavo</p>
<nav aria-label="Pages">${hasPages ? '<a href="/">Overview</a> <a href="/docs/query">Query</a> ' : ''}<a href="/docs" aria-current="page">API</a></nav>
</header>
<div id="app"></div>
<noscript>This page needs JavaScript. The description of the API is at <a href="${escaped(description)}">${escaped(description)}</a>.</noscript>
<script src="/docs/start.js"></script>
</body>
</html>
`

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/**
 * Loads Scalar and starts it. Everything that would contact other hosts is off, and so is a probe of its library zod for
 * `eval`, which the policy would refuse.
 */
const startOf = ({ description }: PageOptions): string => `globalThis.__zod_globalConfig = { jitless: true }
const scalar = document.createElement('script')
scalar.src = '/docs/scalar.js'
scalar.addEventListener('load', () => Scalar.createApiReference('#app', ${JSON.stringify(
  {
    url: description,
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    showDeveloperTools: 'never',
    hideClientButton: true,
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    agent: { disabled: true },
    mcp: { disabled: true },
  },
  null,
  2,
)}))
document.head.append(scalar)

// Scalar fills the parts of the page one after the other, so the part that the address names moves after it was scrolled to.
// It is held in place for ten seconds, or until the reader does something.
const part = decodeURIComponent(location.hash.slice(1))
const hold = setInterval(() => {
  if (part === '') return clearInterval(hold)
  const found = [...document.querySelectorAll('[id]')].find(({ id }) => id === part || id.endsWith('/' + part))
  found?.scrollIntoView()
}, 200)
for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
  addEventListener(event, () => clearInterval(hold), { once: true, passive: true })
setTimeout(() => clearInterval(hold), 10_000)
`
