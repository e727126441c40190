import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder and those around it, where they are missing. `mkdir` of Node.js with `recursive` never returns in a folder such as
 * /proc, which denies that the parent of a new folder exists. No package of Octavo is installed yet that could do it.
 *
 * @returns the outermost folder that was made, if any was missing
 * @throws the error of the system; an outer folder that was made stays
 */
export function makeMissingFolders(folder: string): string | undefined {
  const absolute = path.resolve(folder)
  if (existsSync(absolute) && statSync(absolute).isDirectory()) return undefined
  const parent = path.dirname(absolute)
  const outermost = parent === absolute ? undefined : makeMissingFolders(parent)
  mkdirSync(absolute)
  return outermost ?? absolute
}
