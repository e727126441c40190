import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Lazy } from '@octavo/core/internal'
import type { RouteContext } from '@octavo/server'

/** The files that browsers load, by their names; see `scripts/bundle-page.mjs`. */
export interface PageFiles {
  readonly script: string
  readonly style: string
  /** The modules of pages that the script loads when they are shown, by the names of their sources: `media-page`. */
  readonly pages: Readonly<Record<string, readonly string[]>>
  /** The modules of languages by their codes: `de`. The script has the English texts. */
  readonly languages: Readonly<Record<string, readonly string[]>>
  readonly all: readonly string[]
}

// The built files, also where the sources run as they are: browsers get one module in place of hundreds.
const folder = join(
  dirname(createRequire(import.meta.url).resolve('@octavo/plugin-desk/package.json')),
  'dist/page',
)

const list = new Lazy(async () => {
  const text = await readFile(join(folder, 'files.json'), 'utf8')
  return JSON.parse(text) as PageFiles // written by the build
})

/** @throws Error when the package was not built */
export const pageFiles = (): Promise<PageFiles> => list.get()

const types = { js: 'text/javascript', css: 'text/css' }

/** Sends a file by its name. @returns false for a name that is not in the list */
export async function sendFile(context: RouteContext, name: string): Promise<boolean> {
  const { all } = await pageFiles()
  if (!all.includes(name)) return false
  const isPacked = context.acceptsEncodings('br') === 'br'
  context.set('Cache-Control', 'public, max-age=31536000, immutable')
  context.set('Content-Type', `${name.endsWith('.css') ? types.css : types.js}; charset=utf-8`)
  context.vary('Accept-Encoding')
  if (isPacked) context.set('Content-Encoding', 'br')
  context.body = await readFile(join(folder, isPacked ? `${name}.br` : name))
  return true
}
