import { type Octavo, sql } from '@octavo/core'
import { param } from '@octavo/core/plugin'
import type { Tables } from '../tables.ts'
import type { Checks } from './issuer.ts'
import { hashSecret, makeSecret } from './secret.ts'

/** Seconds for a sign-in at the issuer. */
export const flowSeconds = 600

/** Sign-ins at the issuer that have begun. Each belongs to the browser in which it began, and ends with the first answer to it. */
export class Flows {
  readonly #octavo: Octavo
  readonly #table: Tables['openIdFlows']

  constructor(octavo: Octavo, table: Tables['openIdFlows']) {
    this.#octavo = octavo
    this.#table = table
  }

  /** @param target The page of the desk to return to. @returns the parameters for the issuer, and the value of the cookie */
  async begin(target: string): Promise<Checks & { readonly browser: string }> {
    const made = { state: makeSecret(), nonce: makeSecret(), verifier: makeSecret(), browser: makeSecret() }
    const rows = this.#octavo.store.rows(this.#table)
    await rows.delete({ where: { expires_at: { $lt: sql`now()` } } })
    await rows.insert({
      hash: hashSecret(made.state),
      browser: hashSecret(made.browser),
      nonce: made.nonce,
      verifier: made.verifier,
      target,
      expires_at: sql`now() + make_interval(secs => ${param(flowSeconds, 'int')})`,
    })
    return made
  }

  /**
   * Ends a sign-in, also one of another browser: a state is good for one answer.
   * @param browser The value of the cookie.
   * @returns `undefined` for a state that is unknown, late, used, or of another browser
   */
  async take(
    state: string,
    browser: string | undefined,
  ): Promise<(Checks & { readonly target: string }) | undefined> {
    const [row] = await this.#octavo.store.rows(this.#table).delete({
      where: { hash: hashSecret(state), expires_at: { $gt: sql`now()` } },
      returning: ['browser', 'nonce', 'verifier', 'target'],
    })
    if (!row || browser === undefined || hashSecret(browser) !== row.browser) return undefined
    return { state, nonce: row.nonce, verifier: row.verifier, target: row.target }
  }
}
