import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those around it, where they are missing. `mkdir` of Node.js with `recursive` never returns in a folder such as
 * /proc, which denies that the parent of a new folder exists.
 *
 * @param mode Of each folder that is made; the umask removes bits from it.
 * @throws the error of the system
 */
export function makeFolder(folder: string, mode?: number): void {
  const absolute = resolve(folder)
  const parent = dirname(absolute)
  if (parent !== absolute && !existsSync(parent)) makeFolder(parent, mode)
  try {
    mkdirSync(absolute, { mode })
  } catch (error) {
    // The folder may exist already, or another process may have made it first.
    if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
