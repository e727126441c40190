/** Runs a read, or joins one with the same key. */
export type Share = <T>(key: string, read: () => Promise<T>) => Promise<T>

/** Runs each read by itself. */
export const unshared: Share = (_, read) => read()

/** The reads of streams: those that are started after one change, with the same key and at the same time, run once. */
export class SharedReads {
  #running = new Map<string, Promise<unknown>>()

  /** Called at each change: reads that run already may miss it. */
  renew(): void {
    this.#running = new Map()
  }

  readonly share: Share = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const running = this.#running
    // Safe: equal keys are of equal reads.
    const known = running.get(key) as Promise<T> | undefined
    if (known) return known
    const started = read().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
