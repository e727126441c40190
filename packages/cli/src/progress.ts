import type { SingleBar } from 'cli-progress'
import { endingSignals } from './signals.ts'

export interface Progress {
  /** @param total 0 while it is unknown: the number done is shown without a bar. */
  update(done: number, total: number, label: string): void
  end(): void
}

/** A progress bar on stderr, if that is a terminal. */
export async function progress(): Promise<Progress> {
  if (!process.stderr.isTTY) return { update: () => {}, end: () => {} }
  const { SingleBar } = await import('cli-progress')
  let bar: SingleBar | undefined
  let hasTotal = false
  const end = (): void => {
    bar?.stop()
    bar = undefined
    for (const signal of endingSignals) process.off(signal, interrupted)
  }
  // The terminal outlives the process, and a bar hides its cursor and cuts its lines.
  const interrupted = (signal: NodeJS.Signals): void => {
    end()
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  return {
    update(done, total, label) {
      if (bar && hasTotal === total > 0) {
        bar.setTotal(total)
        bar.update(done, { label })
        return
      }
      end()
      hasTotal = total > 0
      bar = new SingleBar({
        format: hasTotal ? '{bar} {value}/{total} {label}' : '{value} {label}',
        hideCursor: true,
        clearOnComplete: true,
        stream: process.stderr,
      })
      bar.start(total, done, { label })
      for (const signal of endingSignals) process.prependListener(signal, interrupted)
    },
    end,
  }
}
