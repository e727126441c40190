/**
 * The statements that PostgreSQL plans anew for each execution: searches in texts, whose best plan depends on the phrase. If the only
 * searched table is small, one plan serves all phrases.
 */
import { chargedTo, type Store, sql } from '@octavo/database'
import { LRUCache } from 'lru-cache'
import type { Model } from '../content-type/model.ts'
import { searchedAttributes } from '../content-type/search/searched.ts'
import { operators } from '../operator/table.ts'
import type { Condition, PlanNode } from '../plan/plan.ts'
import { nodesBelow, reachesOut, some, someNode } from '../plan/walk.ts'

/** The searches of a plan: none, in the texts of one table and nothing else, or others. */
export type Searches = 'none' | { readonly table: string } | 'others'

/** Milliseconds that a size is cached: tables grow. */
const cachedFor = 60_000

/** Bytes up to which a search reads all rows of a table about as fast as PostgreSQL plans it for its phrase. */
const smallTable = 128 * 1024

/** The decision for the searches of a plan, with the sizes of tables on which it depends. */
export class PlannedSearches {
  readonly #store: Store
  readonly #isSmall = new LRUCache<string, boolean>({
    maxSize: 10_000,
    sizeCalculation: () => 1,
    ttl: cachedFor,
  })

  constructor(store: Store) {
    this.#store = store
  }

  /** Whether each execution is planned for its values. A promise where a table's size was not read within the last minute. */
  isPlanned(searches: Searches): boolean | Promise<boolean> {
    if (typeof searches === 'string') return searches !== 'none'
    // The embedded database has no named statements, so each execution is planned anyway.
    if (this.#store.engine === 'pglite') return true
    const isSmall = this.#isSmall.get(searches.table)
    return isSmall === undefined ? this.#lookUp(searches.table) : !isSmall
  }

  async #lookUp(table: string): Promise<boolean> {
    // For all callers: it does not wait for the turn of one.
    const [row] = await chargedTo(undefined, () =>
      this.#store.run(
        sql`select pg_relation_size(oid) + coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) as "bytes" from pg_class where relname = ${table} and relnamespace = current_schema()::regnamespace`,
      ),
    )
    const isSmall = row !== undefined && Number(row.bytes) <= smallTable
    this.#isSmall.set(table, isSmall)
    return !isSmall
  }
}

/** The searches of a plan, by its root node. */
export function searchesOf(root: PlanNode): Searches {
  if (!someNode(root, searchesHere)) return 'none'
  const { where, order, model } = root
  const isAlone =
    searchesHere(root) &&
    where !== undefined &&
    !reachesOut(where, model) &&
    order.every(({ path }) => path.length === 0) &&
    !nodesBelow(root).some((below) => someNode(below, searchesHere))
  return isAlone ? { table: model.table } : 'others'
}

const searchesHere = ({ where, model }: PlanNode): boolean => where !== undefined && searches(where, model)

/** Whether an index of texts serves a part of the condition. */
const searches = (condition: Condition, model: Model): boolean =>
  some(condition, model, (one, on) => {
    if (one.kind === 'matches') return true
    if (one.kind !== 'compare' || !('pattern' in operators[one.operator])) return false
    return searchedAttributes(on)?.some((searched) => searched === one.attribute) ?? false
  })
