import { type Compiled, type Sql, type StatementBounds, sql, toStatement } from '@octavo/database'
import { boundSize, inBound } from '../compile/bound-size.ts'
import { compileEstimate, compileOwnRow, compilePlan } from '../compile/compile-plan.ts'
import type { Bindable } from '../content-type/attribute-type.ts'
import type { Limits } from '../limits.ts'
import type { Paging, QueryPlan } from '../plan/plan.ts'
import type { ReadRequest } from '../requests.ts'
import { isHeavy } from '../resolve/lists.ts'
import type { ReadTarget } from '../resolve/resolve-query.ts'
import { harmlessBytes } from './bounded-rows.ts'
import { hasJson } from './compact.ts'
import { hasFunctions } from './computed.ts'
import { type Searches, searchesOf } from './planned-searches.ts'

/** A statement whose runtime values are not bound yet. */
export interface Ready {
  readonly text: string
  readonly values: readonly Bindable[]
  /** Indexes in `values` that are bound per request. */
  readonly runtime: readonly { readonly index: number; readonly name: string }[]
}

export interface Estimate extends Ready {
  readonly above: number
}

/** The JSON of an entry in two steps, so that it is computed once: the first is that of its row, the second is about the column `entry`. */
export interface RowAnswer {
  readonly json: Sql
  readonly bounded: Sql
}

/** A cached read, ready to run. */
export interface Prepared extends Ready {
  readonly plan: QueryPlan
  /** Whether it goes over lists within lists; few such statements run at once. The rows of populated ones are counted. */
  readonly isHeavy: boolean
  /** The paging of a list. */
  readonly paging: Paging | undefined
  /** The statement that estimates a total over the counting limit. */
  readonly estimate: Estimate | undefined
  /**
   * The read as the last statement of a transaction, for one entry: of those that a message writes, and without relations. It fails for an answer
   * that is too large; with relations also for one whose rows would have to be counted, which the step of its own finds out.
   */
  readonly last: Ready | undefined
  /** The answer of the entry as an expression over its row `w`, where it has the entry's own values only; fails like `last`. */
  readonly ofRow: RowAnswer | undefined
  /** Whether plugins narrow the readable entries. */
  readonly narrowed: boolean
  /** The searches in texts of the plan, for which PostgreSQL may have to plan each execution. */
  readonly searches: Searches
  /** Whether answers have JSON attributes, which PostgreSQL writes with spaces. */
  readonly hasJson: boolean
  /** Whether functions compute values of answers. */
  readonly hasFunctions: boolean
}

export function readTarget(request: ReadRequest): ReadTarget {
  if (request.kind === 'one') return { type: request.type, kind: request.id === undefined ? 'first' : 'byId' }
  return { type: request.type, kind: request.kind }
}

export const compileBounded = (plan: QueryPlan, limits: Limits, bounds: StatementBounds): Compiled =>
  boundSize(compilePlan(plan, bounds), plan, harmlessBytes(plan, limits))

/** @param kind The kind of the target. */
export function prepare(
  plan: QueryPlan,
  kind: ReadTarget['kind'],
  limits: Limits,
  bounds: StatementBounds,
): Prepared {
  if (plan.layout && plan.kind !== 'count' && hasFunctions(plan.root))
    throw new Error('An answer with values of functions has the form of REST')
  const above = plan.kind === 'list' && plan.paging.withCount ? plan.countUpTo : undefined
  const statement = ready(compileBounded(plan, limits, bounds))
  const isAlone = plan.kind === 'one' && plan.root.children.length === 0
  return {
    ...statement,
    plan,
    last:
      isAlone || kind === 'written'
        ? ready(
            boundSize(
              compilePlan(plan, bounds),
              plan,
              isAlone ? limits.answerBytes : harmlessBytes(plan, limits),
              'error',
            ),
          )
        : undefined,
    ofRow: kind === 'written' ? rowAnswer(plan, limits.answerBytes) : undefined,
    isHeavy: isHeavy(plan),
    paging: plan.kind === 'list' ? plan.paging : undefined,
    estimate: above === undefined ? undefined : { ...ready(compileEstimate(plan)), above },
    narrowed: plan.kind !== 'one' || plan.narrowed !== false,
    searches: searchesOf(plan.root),
    hasJson: hasJson(plan.root),
    hasFunctions: plan.kind !== 'count' && hasFunctions(plan.root),
  }
}

function rowAnswer(plan: QueryPlan, bytes: number): RowAnswer | undefined {
  const json = plan.kind === 'one' && plan.narrowed === false ? compileOwnRow(plan, 'w') : undefined
  return json && { json: sql.raw(toStatement(json).text), bounded: inBound('"entry"', bytes) }
}

export function ready({ text, values }: Compiled): Ready {
  const runtime: { index: number; name: string }[] = []
  const bound = values.map((value, index): Bindable => {
    if (typeof value !== 'object' || value === null || !('name' in value)) return value
    runtime.push({ index, name: value.name })
    return null
  })
  return { text, values: bound, runtime }
}
