import { LRUCache } from 'lru-cache'
import { compilePlan } from '../compile/compile-plan.ts'
import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import type { QueryPlan } from '../plan/plan.ts'
import type { Bindable, RuntimeValue } from '../sql/sql.ts'
import type { Queryable, Store } from '../store/store.ts'
import { partsOf } from './parts.ts'
import { Statistics } from './statistics.ts'

/** A statement with all its values. */
interface Priced {
  readonly text: string
  readonly values: readonly Bindable[]
  readonly plan: QueryPlan
  /** The cache key of its price. */
  readonly key: string
}

interface Price {
  readonly cost: number
  /** The most expensive part; only for a price over the limit. */
  readonly at: string
}

/** Milliseconds that a price is cached: tables grow. */
const holds = 60_000
const prices = 5_000

/** Maximum parts to examine for the most expensive one; one EXPLAIN each. */
const triedParts = 8

/** A statement whose price is above this share of the limit is heavy. */
const heavyShare = 0.02

/**
 * Expected costs of statements: PostgreSQL's estimate, the total cost of its plan. It is computed once a minute
 * per shape and page sizes of a potentially expensive statement; statements that read no list of related entries are
 * never priced.
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
   * @param runtime Binds the runtime values.
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

/** The part whose removal reduces the cost most. */
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

/** PostgreSQL's estimate, in its cost unit; the statement is not run. */
async function costOf(text: string, values: readonly Bindable[], tx: Queryable): Promise<number> {
  const [row] = await tx.query(`explain (format json) ${text}`, values)
  const [{ Plan: plan }] = JSON.parse(String(row?.[0])) as [{ Plan: { 'Total Cost': number } }] // PostgreSQL's own format
  return plan['Total Cost']
}
