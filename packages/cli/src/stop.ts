import { type Logger, PluginError } from '@octavo/core'
import { answerSignals } from './signals.ts'

export interface Stopping {
  /** Ends the process gracefully; further calls do nothing. */
  readonly stop: () => void
}

/**
 * Ends the process gracefully on a signal. SIGTERM, which supervisors send, drains, so that load balancers notice; SIGINT and SIGHUP, from a
 * terminal, do not. A second signal ends the process at once.
 *
 * An uncaught exception or rejection also ends it gracefully, with exit code 1: the state of the process is
 * unknown then, and a supervisor restarts it.
 *
 * @param close Waits for requests in flight; `drain`: accepts new ones for a while. Rejects after its time limit.
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
  answerSignals((signal) => {
    if (isStopping) process.exit(1)
    stop(signal === 'SIGTERM', 0)
  })
  // This event includes unhandled rejections.
  process.on('uncaughtException', (error) => {
    const plugin = error instanceof PluginError ? { plugin: error.plugin } : {}
    logger.error({ err: error, ...plugin }, 'An error was thrown outside of any request: the server ends')
    stop(true, 1)
  })
  return { stop: () => stop(true, 0) }
}
