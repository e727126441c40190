import { SingleBar } from 'cli-progress'

export interface Progress {
  update(done: number, total: number, label: string): void
  end(): void
}

/** A progress bar on stderr, if that is a terminal. */
export function progress(): Progress {
  if (!process.stderr.isTTY) return { update: () => {}, end: () => {} }
  const bar = new SingleBar({
    format: '{bar} {value}/{total} {label}',
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  })
  let started = false
  return {
    update: (done, total, label) => {
      if (started) bar.update(done, { label })
      else bar.start(total, done, { label })
      started = true
    },
    end: () => bar.stop(),
  }
}
