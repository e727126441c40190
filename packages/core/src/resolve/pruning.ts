import type { Model } from '../content-type/model.ts'
import type { NodeView } from '../hooks/read-hooks.ts'
import type { Condition } from '../plan/plan.ts'

/** A requested part that the plan leaves out. */
export interface Pruning {
  /**
   * - `narrowed`: only the entries that meet `condition` are read
   * - `forbidden`: no entry of the model is read
   * - `hidden`: `attribute` does not exist for this caller
   * - `unknown`: `attribute` is in `populate` and the model has no relation, component or zone of that name
   */
  readonly kind: 'narrowed' | 'forbidden' | 'hidden' | 'unknown'
  /** The plugin, or `definition` for private attributes and for names that do not exist. */
  readonly by: string
  /** The populated attributes that lead to the node; empty for the root. */
  readonly at: readonly string[]
  readonly model: Model
  readonly use: NodeView['use']
  /** The relation or component in `filters`, `sort` or `populate` that leads to the entries. */
  readonly via?: string | undefined
  readonly attribute?: string
  readonly condition?: Condition
}
