/** Milliseconds after which used time counts half. */
const halfLife = 5_000

/** Callers above which those without work are forgotten, first those that have hardly used any time. */
const manyAccounts = 10_000

/** A caller: the time that it has used connections for, of late, and its work that waits. */
export class Account<Waiting> {
  /** In order of arrival. An array: the table that a Set leaves behind when it grows holds its old elements until a full collection. */
  readonly waiting: Waiting[] = []
  #used = 0
  #running = 0
  /** When `#used` was brought up to date. */
  #at = 0

  get isIdle(): boolean {
    return this.#running === 0 && this.waiting.length === 0
  }

  /** Milliseconds, those of work that still runs included. */
  used(now: number): number {
    const kept = 2 ** ((this.#at - now) / halfLife)
    this.#used = this.#used * kept + (this.#running * (1 - kept) * halfLife) / Math.LN2
    this.#at = now
    return this.#used
  }

  start(now: number): void {
    this.used(now)
    this.#running += 1
  }

  end(now: number): void {
    this.used(now)
    this.#running -= 1
  }

  /** Adds time that it used together with others. */
  charge(milliseconds: number, now: number): void {
    this.#used = this.used(now) + milliseconds
  }
}

/** The accounts of callers. */
export class Accounts<Waiting> {
  readonly #accounts = new Map<string, Account<Waiting>>()
  /** For work of the server itself, whose time is not charged. */
  readonly own = new Account<Waiting>()

  of(caller: string | undefined, now: number): Account<Waiting> {
    if (caller === undefined) return this.own
    let account = this.#accounts.get(caller)
    if (!account) {
      if (this.#accounts.size >= manyAccounts) this.#forget(now)
      account = new Account()
      this.#accounts.set(caller, account)
    }
    return account
  }

  /** All at once, now and then: a Map from which each request deletes is copied every few requests. */
  #forget(now: number): void {
    for (const least of [1, Number.POSITIVE_INFINITY]) {
      if (this.#accounts.size < manyAccounts / 2) return
      for (const [caller, account] of this.#accounts)
        if (account.isIdle && account.used(now) < least) this.#accounts.delete(caller)
    }
  }
}
