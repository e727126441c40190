/** The handlers of plugins that have not ended, so that a stop that waits for them can name them. */
export class UnfinishedHandlers {
  readonly #running = new Set<{ readonly plugin: string; readonly hook: string }>()

  /** Waits for a handler, which is among the unfinished ones until it ends. */
  async during<T>(plugin: string, hook: string, answer: PromiseLike<T>): Promise<T> {
    const entry = { plugin, hook }
    this.#running.add(entry)
    try {
      return await answer
    } finally {
      this.#running.delete(entry)
    }
  }

  /** Each plugin and hook once: `octavo:stop of stuck`. */
  names(): readonly string[] {
    return [...new Set([...this.#running].map(({ plugin, hook }) => `${hook} of ${plugin}`))]
  }
}
