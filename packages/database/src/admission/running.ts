import type { Account } from './accounts.ts'
import { longRuns } from './shapes.ts'
import type { Place, Waiting } from './work.ts'

/** Work that runs, in no order. */
export class Running {
  readonly #places: Place[] = []

  /** @param since As `performance.now()`. */
  add({ lanes, demand, account }: Pick<Waiting, 'demand' | 'lanes' | 'account'>, since: number): Place {
    const place: Place = { lanes, demand, account, since, at: this.#places.length, told: 0 }
    this.#places.push(place)
    return place
  }

  remove({ at }: Place): void {
    const last = this.#places.pop()
    if (!last || last.at === at) return
    this.#places[at] = last
    last.at = at
  }

  get accounts(): readonly Account<Waiting>[] {
    return this.#places.map(({ account }) => account)
  }

  /** Whether a statement of a shape that began at a time, and still has its place, has ended before one that began earlier. */
  overtook(shape: string, began: number): boolean {
    let before = 0
    for (const { since, demand } of this.#places) if (since <= began && demand.shape === shape) before += 1
    return before > 1
  }

  /** Tells the shapes of statements that run for long, once for each of {@link longRuns}. */
  tellLong(now: number, tell: (shape: string, milliseconds: number) => void): void {
    for (const place of this.#places) {
      const { since, told, demand } = place
      const step = longRuns.findLast((milliseconds) => now - since >= milliseconds)
      if (step === undefined || step === told || demand.shape === undefined) continue
      place.told = step
      tell(demand.shape, step)
    }
  }
}
