/** The standard output of a command, which a full disk or a closed pipe may cut off. */

/** The reason why the output is not complete, in words; `undefined` while it is. */
let brokenBy: string | undefined

let isWatched = false
/** Whether the command has a message of its own about it. */
let isReported = false

/**
 * Notes when the standard output breaks: the command continues, since it may be in the middle of a change, and ends with a message and the exit
 * code 1. Without this, some results would be lost with the exit code 0, such as a token that is printed once, and others would end the process.
 *
 * A server continues, because its output is a log.
 */
export function watchOutput(isServer: boolean): void {
  if (isWatched) return // by an earlier command of this process, as in tests
  isWatched = true
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    brokenBy ??= code === 'EPIPE' ? 'nothing reads it any more' : message
  })
  if (isServer) return
  process.on('exit', () => {
    if (brokenBy === undefined || isReported) return
    console.error(`octavo: The output is not complete: ${brokenBy}`)
    process.exitCode ||= 1
  })
}

/** Leaves the message to the command. */
export function reportOutput(): void {
  isReported = true
}
