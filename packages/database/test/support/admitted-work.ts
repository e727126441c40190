/** Work for tests of admission, with a clock of their own. */
import type { Admission } from '../../src/admission/admission.ts'
import type { Demand } from '../../src/admission/work.ts'

/** Work that ends by hand. */
export class Work {
  readonly #admission: Admission
  readonly running = new Map<number, () => void>()
  readonly errors = new Map<number, string>()
  #next = 0

  constructor(admission: Admission) {
    this.#admission = admission
  }

  async start(demand?: Demand): Promise<number> {
    const id = this.#next++
    void this.#admission
      .run(() => new Promise<void>((resolve) => this.running.set(id, resolve)), demand)
      .catch((error: { code: string }) => this.errors.set(id, error.code))
    await settled()
    return id
  }

  async end(id: number): Promise<void> {
    this.running.get(id)?.()
    this.running.delete(id)
    await settled()
  }
}

/** Lets all promises that can be settled run their continuations. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

export const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

export const options = { connections: 10, queueTime: 2_000, heavyTime: 15_000 }
