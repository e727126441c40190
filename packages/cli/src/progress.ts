import type { SingleBar } from 'cli-progress'

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
  return {
    update(done, total, label) {
      if (bar && hasTotal === total > 0) {
        bar.setTotal(total)
        bar.update(done, { label })
        return
      }
      bar?.stop()
      hasTotal = total > 0
      bar = new SingleBar({
        format: hasTotal ? '{bar} {value}/{total} {label}' : '{value} {label}',
        hideCursor: true,
        clearOnComplete: true,
        stream: process.stderr,
      })
      bar.start(total, done, { label })
    },
    end() {
      bar?.stop()
      bar = undefined
    },
  }
}
