import type { Octavo } from '@octavo/core'
import type { RouteContext, Routes } from '@octavo/server'
import { type ExtensionFolder, maxDepth, readExtensions } from './read-folder.ts'

/** The folders of the application and of plugins, in this order. */
export async function extensionFolders(
  { hooks }: Octavo,
  own: URL | string | undefined,
): Promise<readonly ExtensionFolder[]> {
  const given: [string, URL | string][] = own === undefined ? [] : [['site', own]]
  hooks.register('server:desk', (plugin) => ({ extensions: (folder) => void given.push([plugin, folder]) }))
  return Promise.all(given.map(([owner, folder]) => readExtensions(owner, folder)))
}

const base = '/desk/extensions'

/** A module that the pages load. */
export interface ModuleAddress {
  /** For messages: `site/colour.js`. */
  readonly name: string
  readonly address: string
}

export const modulesOf = (folders: readonly ExtensionFolder[]): readonly ModuleAddress[] =>
  folders.flatMap(({ owner, version, modules }) =>
    modules.map((file) => ({
      name: `${owner}/${file}`,
      address: `${base}/${encodeURIComponent(owner)}/${version}/${file}`,
    })),
  )

/** The paths of files, one for each depth. */
export const extensionPaths = Array.from(
  { length: maxDepth },
  (_, depth) =>
    `${base}/:owner/:version/${Array.from({ length: depth + 1 }, (_, i) => `:part${i}`).join('/')}`,
)

export function addExtensionFiles(routes: Routes, folders: () => readonly ExtensionFolder[]): void {
  for (const path of extensionPaths)
    routes.add({ method: 'GET', path, root: true, handler: (context) => sendFile(context, folders()) })
}

function sendFile(context: RouteContext, folders: readonly ExtensionFolder[]): void {
  const { owner, version, ...parts } = context.params as Readonly<Record<string, string>> // of the paths above
  const name = Object.keys(parts)
    .sort()
    .map((part) => parts[part])
    .join('/')
  const file = folders
    .filter((folder) => folder.owner === owner && folder.version === version)
    .flatMap(({ files }) => files.get(name) ?? [])[0]
  if (!file) {
    context.status = 404
    return
  }
  context.set('Cache-Control', 'public, max-age=31536000, immutable')
  context.set('Content-Type', file.type)
  context.set('X-Content-Type-Options', 'nosniff')
  // A picture that is opened as a page of its own runs nothing.
  context.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  context.body = file.content
}
