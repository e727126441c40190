import { inspect } from 'node:util'

const diskIsFull = /no space left on device|quota exceeded|ENOSPC|EDQUOT/i

/** Whether a message is the system's about a full disk or quota. */
export const isOfFullDisk = (message: string): boolean => diskIsFull.test(message)

/** The numbers of system errors in WebAssembly, with their names. Source: wasi-libc, `__errno_values.h`. */
const systemErrors: Readonly<Record<number, string>> = {
  2: 'permission denied (EACCES)',
  19: 'quota exceeded (EDQUOT)',
  27: 'interrupted (EINTR)',
  29: 'error of the disk (EIO)',
  33: 'too many open files (EMFILE)',
  41: 'too many open files in system (ENFILE)',
  51: 'no space left on device (ENOSPC)',
  63: 'operation not permitted (EPERM)',
  69: 'read-only file system (EROFS)',
}

/** The reason in words for which the engine does not start. The file system of WebAssembly throws objects that have a number only. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof Error && cause.message !== '') return cause.message
  const number =
    typeof cause === 'object' && cause !== null && 'errno' in cause ? Number(cause.errno) : undefined
  if (number === undefined) return inspect(cause)
  return systemErrors[number] ?? `the error ${number} of the file system`
}

/** Remedies by what PostgreSQL or the system says. Files that cannot be opened are not damaged by that. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [diskIsFull, 'Its disk is full; free some space, and start again.'],
  [
    /\b(EMFILE|ENFILE)\b|too many open files|no file descriptors/i,
    'Its files are not damaged: the process may open too few. Raise its limit of open files (ulimit -n) to 1,024 or more, and start again.',
  ],
  [
    /\b(EACCES|EPERM)\b|permission denied|operation not permitted/i,
    'Its files are not damaged: the user of the process may not open them, for example because another user once started it. Give the user all files of the folder (chown -R), and start again.',
  ],
  [
    /\bEROFS\b|read-only file system/i,
    'Its files are not damaged: its file system is read-only. Make it writable, and start again.',
  ],
  [
    /not compatible with/,
    'Another version of @electric-sql/pglite made it: export with that version (octavo export), and import into a new folder (octavo import).',
  ],
]

const ofDamage =
  'Its files are damaged or incomplete. Restore the folder from a backup; or move it away, and import the last data file (octavo import) into a new one.'

/** The sentences for a database that does not start for this reason. */
export const remedyFor = (reason: string): string =>
  remedies.find(([pattern]) => pattern.test(reason))?.[1] ?? ofDamage
