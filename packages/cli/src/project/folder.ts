import { type Dirent, readdirSync } from 'node:fs'
import path from 'node:path'
import { extensions } from '../code/source-file.ts'

/** Names in a folder, sorted and without hidden ones; empty for a missing folder. */
export function entriesIn(root: string, folder: string): readonly Dirent[] {
  try {
    return readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

/** Folders directly below, relative to the project. */
export const foldersIn = (root: string, folder: string): readonly string[] =>
  entriesIn(root, folder)
    .filter((entry) => !entry.isFile())
    .map(({ name }) => `${folder}/${name}`)

/** Every file below a folder, relative to the project. */
export const filesBelow = (root: string, folder: string): readonly string[] =>
  entriesIn(root, folder).flatMap((entry) =>
    entry.isFile()
      ? [`${folder}/${entry.name}`]
      : entry.isDirectory()
        ? filesBelow(root, `${folder}/${entry.name}`)
        : [],
  )

/** Every module below a folder; declarations of types and tests are left out. */
export const modulesBelow = (root: string, folder: string): readonly string[] =>
  filesBelow(root, folder).filter(
    (file) =>
      extensions.some((extension) => file.endsWith(extension)) &&
      !/\.d\.[cm]?ts$|\.(?:test|spec)\./.test(file),
  )

/** The name of a module: that of its file, or of its folder when the file is an index. */
export function moduleName(file: string): string {
  const name = path.posix.basename(file).replace(/\.[^.]+$/, '')
  return name === 'index' ? path.posix.basename(path.posix.dirname(file)) : name
}
