interface CachedAnswer {
  readonly etag: string
  readonly text: string
}

/** Remembers the last answers that had an ETag. */
export class EtagCache {
  readonly #size: number
  readonly #answers = new Map<string, CachedAnswer>()

  /** @param size Number of answers; the least recently used answer is dropped. */
  constructor(size: number) {
    this.#size = size
  }

  get(key: string): CachedAnswer | undefined {
    const answer = this.#answers.get(key)
    if (answer) this.#store(key, answer)
    return answer
  }

  set(key: string, etag: string | null, text: string): void {
    if (etag) this.#store(key, { etag, text })
  }

  #store(key: string, answer: CachedAnswer): void {
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > this.#size && oldest !== undefined) this.#answers.delete(oldest)
  }
}
