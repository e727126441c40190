/** Milliseconds between two readings. Two clocks part by a few milliseconds at most meanwhile. */
const interval = 10_000

/**
 * The database's clock as this process knows it. It is never ahead of the database: a time that was taken here is past for every
 * statement that begins later. It does not use the clock of this machine, which may be set to another time, but the time that has passed since the last reading.
 */
export class DatabaseClock {
  readonly #read: () => Promise<number>
  #time = 0
  #readAt = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  /** @param read The database's time, in milliseconds since 1970. */
  constructor(read: () => Promise<number>) {
    this.#read = read
  }

  /** Reads the clock, and from then on again and again. @throws Error of the first reading */
  async start(): Promise<void> {
    await this.#update()
    this.#timer = setInterval(() => {
      // While the database is away, the last reading is used.
      this.#running ??= this.#update()
        .catch(() => {})
        .finally(() => {
          this.#running = undefined
        })
    }, interval).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  now(): Date {
    return new Date(Math.floor(this.#time + performance.now() - this.#readAt))
  }

  async #update(): Promise<void> {
    const time = await this.#read()
    // The answer was on its way for a while, so that the database's clock has gone on.
    this.#time = time
    this.#readAt = performance.now()
  }
}
