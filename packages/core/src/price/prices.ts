import type { Bindable, CancelSignal, Queryable, Row, RuntimeValue, Store } from '@octavo/database'
import { LRUCache } from 'lru-cache'
import { compilePlan } from '../compile/compile-plan.ts'
import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import type { QueryPlan } from '../plan/plan.ts'
import { goesOverLists, partsOf } from './parts.ts'
import { Statistics } from './statistics.ts'
import { textWork } from './text-work.ts'

/** A statement with all its values. */
interface Priced {
  readonly text: string
  readonly values: readonly Bindable[]
  readonly plan: QueryPlan
  /** The cache key of its price. */
  readonly key: string
  /** The table that it searches; see {@link Weight.isSmall}. */
  readonly searchedTable?: string | undefined
}

/** How a statement is run. */
export interface Weight {
  /** Whether it uses one of the few connections for expensive statements. */
  readonly isHeavy: boolean
  /** Whether the table that it searches is so small that any plan is quick. */
  readonly isSmall: boolean
}

interface Price {
  readonly cost: number
  /** The most expensive part; only for a price over the limit. */
  readonly at: string
  readonly isSmall: boolean
}

/** Milliseconds that a price is cached: tables grow. */
const holds = 60_000
const prices = 5_000

/** Maximum parts to examine for the most expensive one; one EXPLAIN each. */
const triedParts = 8

/** A statement whose price is above this share of the limit is heavy. */
const heavyShare = 0.02

/** Bytes up to which a search reads all rows of a table about as fast as PostgreSQL plans it for its phrase. */
const smallTable = 128 * 1024

/**
 * Expected costs of statements: PostgreSQL's estimate, the total cost of its plan, and on the embedded database the work on
 * texts in addition. It is computed once a minute per shape and page sizes of a potentially expensive statement.
 */
export class Prices {
  readonly #store: Store
  readonly #statistics: Statistics
  /** The price above which a statement is refused. */
  readonly limit: number
  readonly #isEmbedded: boolean
  readonly #prices = new LRUCache<string, Price>({ max: prices, ttl: holds })

  constructor(store: Store, { price, embeddedPrice }: Pick<Limits, 'price' | 'embeddedPrice'>) {
    this.#store = store
    this.#statistics = new Statistics(store)
    this.#isEmbedded = store.engine === 'pglite'
    this.limit = this.#isEmbedded ? embeddedPrice : price
  }

  /**
   * Whether a statement is priced: it may read more than a page of entries. The embedded database prices all lists and
   * counts, since nothing ends its statements.
   * @param selects Whether the query filters, searches or sorts, which may read a whole table.
   */
  isPriced(plan: QueryPlan, selects: boolean): boolean {
    const isOne = plan.kind === 'one'
    return goesOverLists(plan) || (!isOne && (selects || this.#isEmbedded))
  }

  /** The price of a statement that was checked within the last minute. */
  known(key: string): number | undefined {
    return this.#prices.get(key)?.cost
  }

  /**
   * The same as {@link weigh} for a statement that was checked within the last minute, without waiting; `undefined` for
   * any other, and for one over the limit.
   */
  knownWeight(key: string): Weight | undefined {
    const price = this.#prices.get(key)
    return price === undefined || price.cost > this.limit ? undefined : this.#weightOf(price)
  }

  /**
   * Checks the price of a statement.
   * @param runtime Binds the runtime values.
   * @param tx The transaction that the statement runs in, if any.
   * @param signal Cancels the estimate, which waits for the same locks as the statement.
   * @throws ValidationError `query/too-dear`
   */
  async weigh(
    priced: Priced,
    runtime: (value: RuntimeValue) => Bindable,
    tx: Queryable | undefined,
    signal: CancelSignal | undefined,
  ): Promise<Weight> {
    const known = this.#prices.get(priced.key)
    const run: Run = tx
      ? (text, values) => tx.query(text, values)
      : (text, values) => this.#store.execute({ text, values }, { signal })
    if (!known && !tx) await this.#statistics.freshen()
    const price = known ?? (await this.#priceOf(priced, runtime, run))
    if (!known) this.#prices.set(priced.key, price)
    const { cost, at } = price
    if (cost > this.limit) throw problem('query/too-dear', { at, price: Math.round(cost), limit: this.limit })
    return this.#weightOf(price)
  }

  #weightOf({ cost, isSmall }: Price): Weight {
    return { isHeavy: cost > this.limit * heavyShare, isSmall }
  }

  async #priceOf(
    { text, values, plan, searchedTable }: Priced,
    runtime: (value: RuntimeValue) => Bindable,
    run: Run,
  ): Promise<Price> {
    const costOf = async (text: string, values: readonly Bindable[], plan: QueryPlan): Promise<number> => {
      const estimate = await estimateOf(text, values, run)
      return this.#isEmbedded ? estimate + textWork(plan, this.#statistics) : estimate
    }
    const cost = await costOf(text, values, plan)
    if (cost <= this.limit) {
      // The embedded database has no named statements, so each execution is planned anyway.
      const isSmall =
        searchedTable !== undefined && !this.#isEmbedded && (await isSmallTable(searchedTable, run))
      return { cost, at: '', isSmall }
    }
    // The most expensive part is the one whose removal reduces the cost most.
    const parts = partsOf(plan)
    let found = { at: parts[0]?.at ?? 'pagination', rest: Number.POSITIVE_INFINITY }
    for (const { at, without } of parts.slice(0, triedParts)) {
      const { text, values } = compilePlan(without)
      const bound = values.map((value) =>
        typeof value === 'object' && value !== null && 'name' in value ? runtime(value) : value,
      )
      const rest = await costOf(text, bound, without)
      if (rest < found.rest) found = { at, rest }
    }
    return { cost, at: found.at, isSmall: false }
  }
}

type Run = (text: string, values: readonly Bindable[]) => Promise<readonly Row[]>

/** PostgreSQL's estimate, in its cost unit; the statement is not run. */
async function estimateOf(text: string, values: readonly Bindable[], run: Run): Promise<number> {
  const [row] = await run(`explain (format json) ${text}`, values)
  const [{ Plan: plan }] = JSON.parse(String(row?.[0])) as [{ Plan: { 'Total Cost': number } }] // PostgreSQL's own format
  return plan['Total Cost']
}

/** Whether the rows of a table, with the texts that are stored apart, are {@link smallTable}. */
async function isSmallTable(table: string, run: Run): Promise<boolean> {
  const [row] = await run(
    `select pg_relation_size(oid) + coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) from pg_class where relname = $1 and relnamespace = current_schema()::regnamespace`,
    [table],
  )
  return row !== undefined && Number(row[0]) <= smallTable
}
