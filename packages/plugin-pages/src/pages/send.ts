import { readFile } from 'node:fs/promises'
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

/** Serves a file of this package. @param file Relative to the package's folder. */
export function addFile(routes: Routes, path: string, file: string): void {
  const url = new URL(`../../${file}`, import.meta.url)
  const type = file.endsWith('.css') ? 'text/css' : 'text/javascript'
  routes.add({
    method: 'GET',
    path,
    root: true,
    handler: async (context) => send(context, type, await readFile(url, 'utf8')),
  })
}
