import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
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

/** Of this package. */
const folder = dirname(createRequire(import.meta.url).resolve('@octavo/plugin-pages/package.json'))

/** Serves a file of this package. @param file Relative to the package's folder. */
export function addFile(routes: Routes, path: string, file: string): void {
  const found = join(folder, file)
  const type = file.endsWith('.css') ? 'text/css' : 'text/javascript'
  routes.add({
    method: 'GET',
    path,
    root: true,
    handler: async (context) => send(context, type, await readFile(found, 'utf8')),
  })
}
