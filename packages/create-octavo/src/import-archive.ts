import { spawnSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from './choices.ts'
import { commandsOf, type PackageManager } from './package-manager.ts'
import { shellWord } from './shell-word.ts'
import { UsageError } from './usage-error.ts'

/** Whether `--from` is an archive of `strapi export`: `.tar`, `.tar.gz`, encrypted or not. */
export const isArchive = (from: string): boolean => /\.tar(\.gz)?(\.enc)?$/.test(from)

/** @throws UsageError when the archive does not exist. */
export async function refuseArchive(archive: string): Promise<void> {
  const found = await stat(archive).catch(() => undefined)
  if (!found?.isFile()) throw new UsageError(`--from: there is no archive ${archive}`)
}

export interface ArchiveImport {
  readonly folder: string
  readonly archive: string
  readonly key: string | undefined
  readonly database: Database
  /** `false`: only returns the command. */
  readonly isRun: boolean
  readonly packageManager: PackageManager
}

/**
 * Installs the packages of a project, and imports an archive with them: content-types, settings, entries and files.
 *
 * @returns the command of the import, for a terminal.
 * @throws UsageError when a command fails.
 */
export function importArchive(given: ArchiveImport): string {
  const { folder, archive, key, database, isRun, packageManager } = given
  const { install, exec } = commandsOf(packageManager)
  const source = path.resolve(archive)
  const target = database === 'postgres' ? process.env.DATABASE_URL : 'file:./.octavo/data'
  const words = (source: string, database: string, passphrase: string | undefined) => [
    ...['import', 'strapi', source, '--database', database],
    ...(passphrase === undefined ? [] : ['--key', passphrase]),
  ]
  const shownTarget = target === undefined ? '"$DATABASE_URL"' : shellWord(target)
  const shown = `${exec} octavo ${words(shellWord(source), shownTarget, key && '"$KEY"').join(' ')}`
  if (!isRun) return shown
  if (target === undefined)
    throw new UsageError(
      `The project was created. Set DATABASE_URL for the import, then run in ${folder}: ${install} && ${shown}`,
    )
  const octavo = path.resolve(folder, 'node_modules/@octavo/cli/dist/bin.js')
  const commands = [
    // npm and others are .cmd files on Windows, which only a shell can run.
    { name: install, program: packageManager.name, args: ['install'], shell: process.platform === 'win32' },
    {
      name: 'octavo import strapi',
      program: process.execPath,
      args: [octavo, ...words(source, target, key)],
      shell: false,
    },
  ]
  for (const { name, program, args, shell } of commands) {
    console.log(`Running ${name}`)
    const { status, error } = spawnSync(program, args, { cwd: folder, stdio: 'inherit', shell })
    if (error || status !== 0)
      throw new UsageError(
        `${name} failed in ${folder}${error ? `: ${reasonOf(error, program)}` : ''}. Repeat it there; the import is: ${shown}`,
      )
  }
  return shown
}

const reasonOf = (error: Error, program: string): string =>
  'code' in error && error.code === 'ENOENT' ? `there is no program ${program} on the PATH` : error.message
