import { LRUCache } from 'lru-cache'
import { compilePlan } from '../compile/compile-plan.ts'
import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import type { QueryPlan } from '../resolve/plan.ts'
import type { Bindable, RuntimeValue } from '../sql/sql.ts'
import type { Queryable, Store } from '../store/store.ts'
import { partsOf } from './parts.ts'
import { Statistics } from './statistics.ts'

/** A statement with all its values. */
interface Priced {
  readonly text: string
  readonly values: readonly Bindable[]
  readonly plan: QueryPlan
  /** What its price is kept under. */
  readonly key: string
}

interface Price {
  readonly cost: number
  /** The part that costs most; only of a price over the limit. */
  readonly at: string
}

/** Milliseconds that a price holds: tables grow. */
const holds = 60_000
const prices = 5_000

/** Parts that are left out in turn to find the dearest; one EXPLAIN each. */
const triedParts = 8

/** A statement whose price is above this share of the limit is heavy. */
const heavyShare = 0.02

/**
 * What statements are expected to cost: PostgreSQL's own estimate, the total cost of its plan. It is asked once a minute
 * for each shape of statement that may be dear, with the page sizes asked for; statements that go over no list of
 * related entries are never priced.
 */
export class Prices {
  readonly #store: Store
  readonly #statistics: Statistics
  readonly #limit: number
  readonly #prices = new LRUCache<string, Price>({ max: prices, ttl: holds })

  constructor(store: Store, { price, embeddedPrice }: Pick<Limits, 'price' | 'embeddedPrice'>) {
    this.#store = store
    this.#statistics = new Statistics(store)
    this.#limit = store.engine === 'pglite' ? embeddedPrice : price
  }

  /**
   * Whether a statement is heavy.
   * @param runtime Fills in what differs from request to request.
   * @throws ValidationError `query/too-dear`
   */
  async isHeavy(
    priced: Priced,
    runtime: (value: RuntimeValue) => Bindable,
    tx?: Queryable,
  ): Promise<boolean> {
    const known = this.#prices.get(priced.key)
    const price = known ?? (await this.#ask(priced, runtime, tx ?? this.#store))
    if (!known) this.#prices.set(priced.key, price)
    const { cost, at } = price
    if (cost > this.#limit)
      throw problem('query/too-dear', { at, price: Math.round(cost), limit: this.#limit })
    return cost > this.#limit * heavyShare
  }

  async #ask(
    { text, values, plan }: Priced,
    runtime: (value: RuntimeValue) => Bindable,
    tx: Queryable,
  ): Promise<Price> {
    if (tx === this.#store) await this.#statistics.freshen()
    const cost = await costOf(text, values, tx)
    return { cost, at: cost > this.#limit ? await dearest(plan, runtime, tx) : '' }
  }
}

/** The part without which the rest costs least. */
async function dearest(
  plan: QueryPlan,
  runtime: (value: RuntimeValue) => Bindable,
  tx: Queryable,
): Promise<string> {
  const parts = partsOf(plan)
  let found = { at: parts[0]?.at ?? 'pagination', rest: Number.POSITIVE_INFINITY }
  for (const { at, without } of parts.slice(0, triedParts)) {
    const { text, values } = compilePlan(without)
    const rest = await costOf(
      text,
      values.map((value) =>
        typeof value === 'object' && value !== null && 'name' in value ? runtime(value) : value,
      ),
      tx,
    )
    if (rest < found.rest) found = { at, rest }
  }
  return found.at
}

/** PostgreSQL's estimate, in its own unit; nothing is run. */
async function costOf(text: string, values: readonly Bindable[], tx: Queryable): Promise<number> {
  const [row] = await tx.query(`explain (format json) ${text}`, values)
  const [{ Plan: plan }] = JSON.parse(String(row?.[0])) as [{ Plan: { 'Total Cost': number } }] // PostgreSQL's own format
  return plan['Total Cost']
}
