/** The signals that end a command. */
import { constants } from 'node:os'

/** A terminal that is closed sends SIGHUP. */
export const endingSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const
export type EndingSignal = (typeof endingSignals)[number]

/**
 * Ends the process by each of the signals, after its handlers of `exit`, which remove temporary files. Without a handler the system would end the
 * process before they run, and would not end the first process of a container at all.
 */
export function endOnSignals(): void {
  for (const name of endingSignals) process.on(name, end)
}

/** Calls `answer` for each signal, in place of the end of the process. */
export function answerSignals(answer: (signal: EndingSignal) => void): void {
  for (const name of endingSignals) process.off(name, end).on(name, answer)
}

/** Ends the process by a signal that it has handled. */
export function end(signal: EndingSignal): void {
  endBy(signal)
  process.exit()
}

/**
 * Lets the process end by a signal that it has handled, once it has nothing more to do: a shell that runs a script tells Ctrl+C from a failure by the signal.
 * The first process of a container, which no signal of its own ends, has the exit code that shells show for the signal.
 */
export function endBy(signal: EndingSignal): void {
  process.exitCode = 128 + constants.signals[signal]
  process.once('exit', () => {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
