import type { Receiver } from './options.ts'

/** The webhooks to which this process sends events: those in code, and those in the database, as last read. */
export class Receivers {
  /** The receivers of the configuration, by key. */
  readonly configured: ReadonlyMap<string, Receiver>
  #all: ReadonlyMap<string, Receiver>
  #names: ReadonlyMap<string, string> = new Map()

  constructor(configured: ReadonlyMap<string, Receiver>) {
    this.configured = configured
    this.#all = configured
  }

  /** All that are enabled, by key. */
  get all(): ReadonlyMap<string, Receiver> {
    return this.#all
  }

  /** Whether there are webhooks, disabled ones included. */
  get areAny(): boolean {
    return this.configured.size > 0 || this.#names.size > 0
  }

  /** The name of a webhook, for lists; the key itself for one that is gone. */
  nameOf(key: string): string {
    return this.#names.get(key) ?? key
  }

  /** @param names The names of all webhooks in the database, by key. @param stored The enabled webhooks */
  set(names: ReadonlyMap<string, string>, stored: readonly Receiver[]): void {
    this.#names = names
    this.#all = new Map([...this.configured, ...stored.map((one) => [one.key, one] as const)])
  }
}
