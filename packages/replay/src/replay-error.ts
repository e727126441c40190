/** A replay cannot run: a log that cannot be read, a server that does not answer, an option that makes no sense. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
}
