import { type Logger, PluginError } from '@octavo/core'

export interface Stopping {
  /** Ends the process as the first signal does, however often it is called. */
  readonly stop: () => void
}

/**
 * Ends the process gracefully: SIGTERM drains, since a supervisor sends it and a balancer must notice; SIGINT does not,
 * since a person waits. A second signal ends it at once.
 *
 * An exception or rejection that nothing caught ends it gracefully too, with exit code 1: the state of the process is
 * unknown then, and a supervisor starts it anew.
 *
 * @param close Waits for requests in flight; `drain`: also takes new ones for a while. Rejects when it cannot end in time.
 */
export function stopOnSignal(logger: Logger, close: (drain: boolean) => Promise<void>): Stopping {
  let isStopping = false
  const stop = (drain: boolean, exitCode: number): void => {
    if (isStopping) return
    isStopping = true
    close(drain).then(
      () => process.exit(exitCode),
      (error: unknown) => {
        console.error(error instanceof Error ? error.message : error)
        process.exit(1)
      },
    )
  }
  const signalled = (drain: boolean): void => {
    if (isStopping) process.exit(1)
    stop(drain, 0)
  }
  process.on('SIGINT', () => signalled(false))
  process.on('SIGTERM', () => signalled(true))
  // Node reports unhandled rejections here as well.
  process.on('uncaughtException', (error) => {
    const plugin = error instanceof PluginError ? { plugin: error.plugin } : {}
    logger.error({ err: error, ...plugin }, 'An error was thrown outside of any request: the server ends')
    stop(true, 1)
  })
  return { stop: () => stop(true, 0) }
}
