import type { RouteContext, Routes } from '@octavo/server'
import type { ModuleAddress } from './extensions/serve.ts'
import { pageFiles, sendFile } from './files.ts'

/** The addresses of pages. One document serves all of them: its script draws the page of the address. */
const addresses = [
  '/desk',
  '/desk/accept',
  '/desk/content/:type',
  '/desk/content/:type/:id',
  '/desk/media',
  '/desk/layouts',
  '/desk/pages/:page',
  '/desk/people',
  '/desk/roles',
  '/desk/settings',
  '/desk/tokens',
  '/desk/webhooks',
]

/**
 * Pages load their own files only, run no text as a script, and are shown in no frame. Pictures and recordings of the library may be on
 * another host (a storage), so they may come from anywhere by TLS; scripts, styles and requests may not.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data: blob:",
  "media-src 'self' https: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What the document tells its script. */
export interface Document {
  readonly title: string
  readonly modules: readonly ModuleAddress[]
}

export function addPages(routes: Routes, document: () => Document): void {
  for (const path of addresses)
    routes.add({
      method: 'GET',
      path,
      root: true,
      handler: (context) => sendPage(context, document()),
    })
  routes.add({
    method: 'GET',
    path: '/desk/assets/:name',
    root: true,
    handler: async (context) => {
      if (!(await sendFile(context, context.params.name ?? ''))) context.status = 404
    },
  })
}

/** The pages are for people, and not part of the API. */
export const operationsFor = (others: readonly string[]) =>
  Object.fromEntries(
    [...addresses, '/desk/assets/:name', ...others].map((path) => [`GET ${path}`, false] as const),
  )

async function sendPage(context: RouteContext, { title, modules }: Document): Promise<void> {
  const { script, style, preload } = await pageFiles()
  context.set('Content-Security-Policy', policy)
  context.set('X-Frame-Options', 'DENY')
  context.set('Referrer-Policy', 'no-referrer')
  context.set('Cross-Origin-Opener-Policy', 'same-origin')
  context.set('Cache-Control', 'no-cache')
  context.set('Content-Type', 'text/html; charset=utf-8')
  const preloads = preload.map((name) => `<link rel="modulepreload" href="/desk/assets/${name}">`).join('\n')
  // React Aria would insert a style element, which the policy refuses, unless one with this id is there.
  context.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Octavo</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" id="react-aria-pressable-style" href="/desk/assets/${style}">
${preloads}
<script type="module" src="/desk/assets/${script}">${endOfScript}
</head>
<body>
<div id="desk" data-title="${escaped(title)}" data-extensions="${escaped(JSON.stringify(modules))}"></div>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`
}

/** Not part of the template: the bundler would replace a template that has it, and import a helper for that. */
const endOfScript = '</script>'

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
