import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Choices, projectName } from './choices.ts'
import { copyStrapiProject } from './copy-strapi-project.ts'
import { projectFiles } from './files/project-files.ts'
import { isArchive, refuseArchive } from './import-archive.ts'
import { makeMissingFolders } from './missing-folders.ts'
import { UsageError } from './usage-error.ts'

/** @throws UsageError when the folder is a file or has entries; an empty `.git` repository counts as empty. */
export async function refuseFolder(folder: string): Promise<void> {
  projectName(folder)
  let entries: readonly string[]
  try {
    entries = await readdir(folder)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return
    if (code === 'ENOTDIR') throw new UsageError(`${folder} is a file; choose another name`)
    throw error
  }
  const others = entries.filter(isOfProject)
  if (others.length > 0)
    throw new UsageError(
      `${folder} is not empty (it has ${others.slice(0, 3).join(', ')}); choose another folder. Nothing was written`,
    )
}

/** An empty repository may be there before its project. */
const isOfProject = (name: string): boolean => name !== '.git'

const partsIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter(isOfProject).map((name) => path.join(folder, name))

/**
 * Writes a project. From the folder of a Strapi 4 project, its content-types, components, settings and files are copied; an
 * archive is imported by `octavo import strapi`, once the packages are installed. Nothing stays of one that cannot be written as a whole.
 *
 * @param signal Aborted: nothing more is written, and what was written is removed.
 * @throws UsageError when the folder is not empty, `from` is neither a Strapi 4 project nor an archive, or the signal was aborted.
 */
export async function createProject(choices: Choices, signal?: AbortSignal): Promise<void> {
  const { folder, from } = choices
  await refuseFolder(folder)
  if (from !== undefined) await (isArchive(from) ? refuseArchive(from) : refuseProject(from, folder))
  const made = makeProjectFolder(folder)
  try {
    for (const [file, content] of projectFiles(choices)) {
      const target = path.join(folder, file)
      makeMissingFolders(path.dirname(target))
      await writeFile(target, content, { flag: 'wx' })
    }
    if (from !== undefined && !isArchive(from)) await copyStrapiProject(from, folder, signal)
    signal?.throwIfAborted()
  } catch (error) {
    // With a part in it, the folder would be refused when the command is repeated.
    for (const part of made === undefined ? await partsIn(folder) : [made])
      await rm(part, { recursive: true, force: true })
    throw notCreated(folder, error)
  }
}

function makeProjectFolder(folder: string): string | undefined {
  try {
    return makeMissingFolders(folder)
  } catch (error) {
    throw notCreated(folder, error)
  }
}

const notCreated = (folder: string, error: unknown): UsageError =>
  new UsageError(`${folder} was not created: ${error instanceof Error ? error.message : error}`, {
    cause: error,
  })

async function refuseProject(from: string, folder: string): Promise<void> {
  const entries = await readdir(path.join(from, 'src/api')).catch(() => undefined)
  if (entries === undefined)
    throw new UsageError(
      `--from: ${from} is not the folder of a Strapi 4 project (it has no src/api) and no archive (export.tar.gz)`,
    )
  if (!path.relative(from, folder).startsWith('..'))
    throw new UsageError(`--from: ${folder} is in the project that is copied; choose a folder beside it`)
}
