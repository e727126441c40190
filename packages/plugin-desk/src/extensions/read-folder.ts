/** Folders of extension modules, as they are read at start. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigurationError } from '@octavo/core'

export interface ExtensionFile {
  readonly type: string
  readonly content: Buffer
}

/** A folder that a plugin, or the application, serves. */
export interface ExtensionFolder {
  /** The name of the plugin, or `site` for the option `extensions`. */
  readonly owner: string
  /** A hash of all files: addresses with it are cached for a year. */
  readonly version: string
  /** By the path in the folder, with `/`. */
  readonly files: ReadonlyMap<string, ExtensionFile>
  /** The paths of the modules that the pages load. */
  readonly modules: readonly string[]
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Folders that the path of a file may have. */
export const maxDepth = 3
const maxFiles = 200
const maxBytes = 5_000_000

/**
 * @param owner For messages and addresses.
 * @throws ConfigurationError for a folder that cannot be read or has too much
 */
export async function readExtensions(owner: string, folder: URL | string): Promise<ExtensionFolder> {
  const root = typeof folder === 'string' ? resolve(folder) : fileURLToPath(folder)
  const refuse = (reason: string, cause?: unknown): never => {
    throw new ConfigurationError(`The extensions of the desk in ${root}: ${reason}`, { cause })
  }
  const names = await pathsIn(root).catch((error: Error) => refuse(error.message, error))
  if (names.length > maxFiles) refuse(`there are more than ${maxFiles} files`)
  const files = new Map<string, ExtensionFile>()
  const hash = createHash('sha256')
  let bytes = 0
  for (const name of names) {
    const content = await readFile(join(root, name))
    bytes += content.length
    if (bytes > maxBytes) refuse(`the files have more than ${maxBytes / 1_000_000} MB`)
    hash.update(`${name}\n${content.length}\n`).update(content)
    files.set(name, { type: types[endOf(name)] ?? '', content })
  }
  const modules = names.filter((name) => !name.includes('/') && endOf(name) === '.js')
  if (modules.length === 0) refuse('there is no .js file')
  return { owner, version: hash.digest('base64url').slice(0, 12), files, modules }
}

const endOf = (name: string): string => /\.\w+$/.exec(name)?.[0] ?? ''

/** The files that are served, in an order that does not depend on the machine. Hidden ones, links and other types are left out. */
async function pathsIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep))
    .filter((parts) => parts.length <= maxDepth && parts.every((part) => /^[\w-][\w.-]*$/.test(part)))
    .map((parts) => parts.join('/'))
    .filter((name) => endOf(name) in types)
    .sort()
}
