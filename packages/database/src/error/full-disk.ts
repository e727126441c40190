/** The system's codes of a full disk and of a user's quota that is used up. */
const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** An error of the system. `path`: the file, which Node names when it is opened, and not when it is written. */
type SystemError = Error & { readonly code?: unknown; path?: unknown }

/** Whether an error, or its cause, is that of a full disk: also one of a plugin's hook. */
export const isOfFullDisk = (error: unknown): boolean =>
  error instanceof Error && (full.has((error as SystemError).code) || isOfFullDisk(error.cause))

/**
 * Adds the path to an error of a full disk that has none, in its message as well, so that the log says which disk is full.
 * @returns the error; any other one unchanged.
 */
export function withPath(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !full.has((error as SystemError).code)) return error
  const found: SystemError = error
  if (found.path !== undefined) return error
  found.path = path
  const before = found.message
  found.message = `${before} '${path}'`
  // Loggers write the stack, which begins with the message.
  found.stack = found.stack?.replace(before, () => found.message) ?? found.message
  return found
}
