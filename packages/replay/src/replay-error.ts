/** A replay cannot run: a log that cannot be read, a server that does not answer, an invalid option. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
}
