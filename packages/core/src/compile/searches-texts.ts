import type { Model } from '../content-type/model.ts'
import { searchedAttributes } from '../content-type/searched.ts'
import { operators } from '../operator/table.ts'
import type { Condition, PlanNode } from '../plan/plan.ts'
import { nodesBelow, reachesOut, some, someNode } from '../plan/walk.ts'

/**
 * Whether a plan searches in texts with an index. For a rare phrase the index is best, for a frequent one the order
 * of the list; one plan for both would take seconds for one of them.
 */
export const searchesTexts = (root: PlanNode): boolean =>
  someNode(root, ({ where, model }) => where !== undefined && searches(where, model))

/**
 * The table of a plan that searches nothing but the texts of its entries: while this table is small, one plan is as good for all
 * phrases. `undefined` where the best plan depends on other tables as well.
 */
export function searchedTable(root: PlanNode): string | undefined {
  const { where, order, model } = root
  const isOwn =
    where !== undefined &&
    !reachesOut(where, model) &&
    order.every(({ path }) => path.length === 0) &&
    !nodesBelow(root).some(searchesTexts)
  return isOwn && searches(where, model) ? model.table : undefined
}

/** Whether an index of texts serves a part of the condition. */
const searches = (condition: Condition, model: Model): boolean =>
  some(condition, model, (one, on) => {
    if (one.kind === 'matches') return true
    if (one.kind !== 'compare' || !('pattern' in operators[one.operator])) return false
    return searchedAttributes(on)?.some((searched) => searched === one.attribute) ?? false
  })
