import { constants } from 'node:os'

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/**
 * Runs work that a signal aborts. The process then ends by this signal, once it has nothing more to do; the first process of a container, which
 * no signal of its own ends, with the exit code that shells show for it.
 */
export async function stoppable(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController()
  const stop = (name: (typeof signals)[number]): void => {
    process.exitCode = 128 + constants.signals[name]
    process.once('exit', () => {
      process.off(name, stop)
      process.kill(process.pid, name)
    })
    controller.abort(new Error(`${name} stopped it`))
  }
  for (const name of signals) process.on(name, stop)
  try {
    await work(controller.signal)
  } finally {
    for (const name of signals) process.off(name, stop)
  }
}
