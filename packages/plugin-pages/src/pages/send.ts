import { readFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import type { RouteContext, Routes } from '@octavo/server'
import type { Html } from '../html.ts'

/** Pages load their own files only; nothing is inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export function sendPage(context: RouteContext, page: Html, status = 200): void {
  context.set('Content-Security-Policy', policy)
  context.set('Referrer-Policy', 'no-referrer')
  send(context, 'text/html', page.text)
  context.status = status
}

/** Without a charset, browsers would read the text as Latin-1. */
function send(context: RouteContext, type: string, text: string): void {
  context.set('Cache-Control', 'no-cache')
  context.set('Content-Type', `${type}; charset=utf-8`)
  context.body = text
}

const { resolve } = createRequire(import.meta.url)

/** The folder of a package. */
const folderOf = (name: string): string => dirname(resolve(`${name}/package.json`))
const folder = folderOf('@octavo/plugin-pages')

/** The path of the style sheet of these pages. */
export const ownStyle = join(folder, 'browser/style.css')

/** The path of the style sheet with the colours and sizes of all pages of Octavo. */
export const sharedStyle = join(folderOf('@octavo/server'), 'look/tokens.css')

/** Serves a style sheet. @param file Its absolute path. */
export const addStyle = (routes: Routes, path: string, file: string): void =>
  addFile(routes, path, 'text/css', () => readFile(file, 'utf8'))

/** Serves a module of `src/browser`. */
export function addModule(routes: Routes, path: string, name: string): void {
  addFile(routes, path, 'text/javascript', isSource ? () => sourceOf(name) : () => builtOf(name))
}

function addFile(routes: Routes, path: string, type: string, read: () => Promise<string>): void {
  routes.add({
    method: 'GET',
    path,
    root: true,
    handler: async (context) => send(context, type, await read()),
  })
}

/** Whether the sources run as they are, as in the checkout. Browsers then get the sources of their modules too. */
const isSource = import.meta.url.endsWith('.ts')

const builtOf = (name: string): Promise<string> => readFile(join(folder, `dist/browser/${name}.js`), 'utf8')

async function sourceOf(name: string): Promise<string> {
  const code = stripTypeScriptTypes(await readFile(join(folder, `src/browser/${name}.ts`), 'utf8'))
  return code.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
}
