import type { RouteContext, Routes } from '@octavo/server'
import { documentTexts } from './document-texts.ts'
import type { ModuleAddress } from './extensions/serve.ts'
import { type PageFiles, pageFiles, sendFile } from './files.ts'
import { firstOfLibrary } from './library-query.ts'

/** Answers that the script asks for first, on every page but that of links. */
const answers: readonly string[] = ['me', 'model', 'layouts']

/** The modules and answers that the browser loads while it still reads the script. */
interface Ahead {
  /** The module of the page; absent for those that the script has. */
  readonly page?: string
  /** Paths below `/desk/api`. */
  readonly answers: readonly string[]
  /** Further ones of the address without a query: another folder of the library has other files. */
  readonly atFirst?: readonly string[]
}

/** The addresses of pages. One document serves all of them: its script draws the page of the address. */
export const addresses = {
  '/desk': { answers },
  '/desk/accept': { answers: [] },
  '/desk/content/:type': { answers },
  '/desk/content/:type/:id': { page: 'entry-page', answers },
  '/desk/media': { page: 'media-page', answers, atFirst: firstOfLibrary },
  '/desk/layouts': { page: 'layouts-page', answers },
  '/desk/locales': { page: 'locales-page', answers },
  '/desk/pages/:page': { answers },
  '/desk/people': { page: 'people-page', answers },
  '/desk/roles': { page: 'roles-page', answers },
  '/desk/settings': { page: 'settings-page', answers },
  '/desk/tokens': { page: 'tokens-page', answers },
  '/desk/webhooks': { page: 'webhooks-page', answers },
} as const satisfies Readonly<Record<string, Ahead>>

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

/** The values in the document that its script reads. */
export interface Document {
  readonly title: string
  readonly modules: readonly ModuleAddress[]
}

export function addPages(routes: Routes, document: () => Document): void {
  for (const [path, ahead] of Object.entries(addresses))
    routes.add({
      method: 'GET',
      path,
      root: true,
      handler: (context) => sendPage(context, document(), ahead),
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
    [...Object.keys(addresses), '/desk/assets/:name', ...others].map(
      (path) => [`GET ${path}`, false] as const,
    ),
  )

async function sendPage(context: RouteContext, { title, modules }: Document, ahead: Ahead): Promise<void> {
  const files = await pageFiles()
  // The first one is that of a request without a preference.
  const language = context.acceptsLanguages(['en', ...Object.keys(files.languages)]) || 'en'
  const { noScript, late, tryAgain } = documentTexts[language] ?? documentTexts.en
  context.set('Content-Security-Policy', policy)
  context.set('X-Frame-Options', 'DENY')
  context.set('Referrer-Policy', 'no-referrer')
  context.set('Cross-Origin-Opener-Policy', 'same-origin')
  context.set('Cache-Control', 'no-cache')
  context.set('Content-Type', 'text/html; charset=utf-8')
  context.vary('Accept-Language')
  // React Aria would insert a style element, which the policy refuses, unless one with this id is there.
  context.body = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Octavo</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" id="react-aria-pressable-style" href="/desk/assets/${files.style}">
<script type="module" src="/desk/assets/${files.script}">${endOfScript}
${preloads(context, files, ahead, language)}
</head>
<body>
<div id="desk" data-title="${escaped(title)}" data-extensions="${escaped(JSON.stringify(modules))}">
<p class="late" dir="auto">${late} <a href="">${tryAgain}</a></p>
</div>
<noscript>${noScript}</noscript>
</body>
</html>
`
}

/** The elements that name what the script asks for, after the script: browsers send few requests at once. */
function preloads(
  context: RouteContext,
  { pages, languages }: PageFiles,
  ahead: Ahead,
  language: string,
): string {
  const names = [...(pages[ahead.page ?? ''] ?? []), ...(languages[language] ?? [])]
  return [
    ...names.map((name) => `<link rel="modulepreload" href="/desk/assets/${name}">`),
    // With the attribute the request is that of the script's `fetch`, which takes its answer.
    ...[...ahead.answers, ...(context.querystring === '' ? (ahead.atFirst ?? []) : [])].map(
      (path) => `<link rel="preload" as="fetch" href="/desk/api/${escaped(path)}" crossorigin>`,
    ),
  ].join('\n')
}

/** Kept out of the template: the bundler would replace a template that contains it, and import a helper for that. */
const endOfScript = '</script>'

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
