import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { RouteContext, Routes } from '@octavo/server'
import { lookOf } from './look.ts'

/** The path and the name of another page. */
type Link = readonly [path: string, name: string]

/** Whether a browser asks for a page, and not a program for an answer. */
export const wantsPage = ({ req, query }: RouteContext): boolean =>
  query.query === undefined && /\btext\/html\b/.test(req.headers.accept ?? '')

/** GraphiQL, from files of this package; it loads nothing from elsewhere. */
export class Page {
  readonly #routes: Routes
  readonly #endpoint: string

  /** Adds the files of the page, below the endpoint. */
  constructor(routes: Routes, endpoint: string) {
    this.#routes = routes
    this.#endpoint = endpoint
    const { resolve } = createRequire(import.meta.url)
    const own = resolve('@octavo/plugin-graphql/package.json')
    const look = join(resolve('@octavo/server/package.json'), '../look')
    this.#add('graphiql.js', 'text/javascript', () => readFile(join(own, '../dist/graphiql.js'), 'utf8'))
    this.#add('graphiql.css', 'text/css', () => readFile(join(own, '../dist/graphiql.css'), 'utf8'))
    this.#add('start.js', 'text/javascript', async () => startOf(endpoint))
    this.#add('style.css', 'text/css', async () => {
      const files = [join(look, 'tokens.css'), join(look, 'bar.css'), join(own, '../page/style.css')]
      const [tokens = '', ...others] = await Promise.all(files.map((file) => readFile(file, 'utf8')))
      return [tokens, lookOf(tokens), ...others].join('')
    })
  }

  #add(name: string, type: string, read: () => Promise<string>): void {
    this.#routes.add({
      method: 'GET',
      path: `${this.#endpoint}/${name}`,
      root: true,
      handler: async (context) => send(context, type, await read()),
    })
  }

  answer(context: RouteContext): void {
    const nonce = randomBytes(16).toString('base64url')
    context.set('Content-Security-Policy', policyOf(nonce))
    const has = (path: string): boolean => this.#routes.endpoints().some((endpoint) => endpoint.path === path)
    const links: readonly Link[] = [
      ...(has('/docs/query')
        ? ([
            ['/', 'Overview'],
            ['/docs/query', 'Query'],
          ] as const)
        : []),
      ...(has('/docs') ? ([['/docs', 'API']] as const) : []),
    ]
    send(context, 'text/html', htmlOf(this.#endpoint, nonce, links))
  }
}

/** Without a charset, browsers would read the text as Latin-1. */
function send(context: RouteContext, type: string, text: string): void {
  context.set('Cache-Control', 'no-cache')
  context.set('Content-Type', `${type}; charset=utf-8`)
  context.body = text
}

/** @param nonce The nonce of the style that GraphiQL adds while a dialogue is open. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const htmlOf = (endpoint: string, nonce: string, links: readonly Link[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${endpoint}/graphiql.css">
<link rel="stylesheet" href="${endpoint}/style.css">
</head>
<body>
<header class="top"><p>Octavo</p>
<nav aria-label="Pages">${links.map(([path, name]) => `<a href="${path}">${name}</a> `).join('')}<a href="${endpoint}" aria-current="page">GraphQL</a></nav>
</header>
<div id="app" data-nonce="${nonce}"></div>
<noscript>This page needs JavaScript. Operations are sent to ${endpoint} as JSON.</noscript>
<script src="${endpoint}/graphiql.js"></script>
<script src="${endpoint}/start.js"></script>
</body>
</html>
`

const startOf = (endpoint: string): string => `const app = document.getElementById('app')
globalThis.__webpack_nonce__ = app.dataset.nonce
const fetcher = GraphiQL.createFetcher({ url: ${JSON.stringify(endpoint)} })
ReactDOM.createRoot(app).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: '# Ctrl-Space completes names, Ctrl-Enter runs the query.\\n\\n{\\n  \\n}\\n' }),
)
`
