/** The writes of a client, compared with the server's responses. */

/** The contents of an item. `parts` always has `n` numbers, so that a half-written item can be detected. */
export interface Item {
  readonly n: number
  readonly parts: readonly number[]
  /** The id of the box that it lies in. */
  readonly box: number
}

/** `undefined`: there is no item of this key. */
export type Value = Item | undefined

export type Outcome =
  /** The server acknowledged the write. */
  | 'done'
  /** The server refused it, or it never left. */
  | 'refused'
  /** The connection broke, so the write may have happened, once. */
  | 'unknown'

/**
 * The items of one client, whose writes of an item follow one another. After an acknowledged write there is one possible
 * value; after a broken connection there are two, until the item is read.
 */
export class Ledger {
  readonly #possible = new Map<string, readonly Value[]>()
  readonly violations: string[] = []
  acknowledged = 0
  unknown = 0
  /** Of the unknown ones, those that were found to be written. */
  written = 0
  /** Items that do not have the acknowledged value. */
  lost = 0
  /** Items that exist twice. */
  doubled = 0

  get keys(): readonly string[] {
    return [...this.#possible.keys()]
  }

  /** The values that an item may have; a key that was never written has none. */
  possible(key: string): readonly Value[] {
    return this.#possible.get(key) ?? [undefined]
  }

  wrote(key: string, value: Value, outcome: Outcome): void {
    if (outcome === 'done') {
      this.acknowledged += 1
      this.#possible.set(key, [value])
    } else if (outcome === 'unknown') {
      this.unknown += 1
      this.#possible.set(key, [...this.possible(key), value])
    }
  }

  /** Compares an item that was read, with all of its copies: a key may have one item at most. */
  read(key: string, found: readonly Item[]): void {
    const [value] = found
    if (found.length > 1) this.doubled += 1
    if (found.length > 1) this.violations.push(`${key}: ${found.length} items have this key`)
    if (value && value.parts.length !== value.n) this.violations.push(`${key}: half-written: ${show(value)}`)
    const possible = this.possible(key)
    const isPossible = possible.some((one) => show(one) === show(value))
    if (possible.length > 1 && show(possible.at(-1)) === show(value)) this.written += 1
    if (!isPossible) this.lost += 1
    if (!isPossible)
      this.violations.push(`${key}: is ${show(value)}, may be ${possible.map(show).join(' or ')}`)
    this.#possible.set(key, [value])
  }
}

const show = (value: Value): string =>
  value === undefined ? 'nothing' : JSON.stringify([value.n, value.parts, value.box])
