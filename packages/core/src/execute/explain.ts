import type { Queryable, Statement, Store } from '@octavo/database'
import { type Bindable, type Compiled, OctavoError, type RuntimeValue, sql } from '@octavo/database'
import type { ExplainedPruning, Explanation } from '../explanation.ts'
import { countPlan } from '../plan/nodes.ts'
import type { QueryPlan } from '../plan/plan.ts'
import type { ReadRequest } from '../requests.ts'
import type { Pruning } from '../resolve/pruning.ts'
import {
  describeCondition,
  describeNode,
  populatePath,
  type ShownValues,
  withoutCondition,
} from './describe-plan.ts'
import { describeStep, readReport } from './describe-steps.ts'

/** The parts of the reader that an explanation uses. */
export interface ExplainedRead {
  readonly isCached: boolean
  /** @throws OctavoError */
  parse(): void
  /** Resolves the parsed query and reports the parts that are left out. @throws OctavoError */
  resolve(observe: (pruning: Pruning) => void): QueryPlan
  compile(plan: QueryPlan): Compiled
  /** Binds the runtime values. */
  bind(compiled: Compiled): Statement
  runtime(value: RuntimeValue): Bindable
  /** Runs the statement of a plan. @throws PayloadTooLargeError where it exceeds a bound. */
  bounded<T>(plan: QueryPlan, run: () => Promise<T>): Promise<T>
  readonly store: Store
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Explains a read: prepares it like a read outside of the statement cache, and runs it with `EXPLAIN ANALYZE` in a
 * read-only transaction that is rolled back. A read that is refused is explained up to the refusal.
 *
 * The steps, times and numbers of rows of a statement depend on entries that a narrowed caller may not read: PostgreSQL chooses
 * its plan by the values of all rows.
 *
 * @param values Whether the explanation includes the values of the statement.
 * @param figures Whether it has steps, times and numbers of rows even if plugins narrow the read, and says whether the statement was cached,
 *   which tells what others have requested.
 */
export async function explainRead(
  { type, action, state, signal }: ReadRequest,
  read: ExplainedRead,
  { values, figures }: { readonly values: boolean; readonly figures: boolean },
): Promise<Explanation> {
  const shown: ShownValues = { values, runtime: (value) => read.runtime(value) }
  const prunings: Pruning[] = []
  const times: Mutable<Explanation['times']> = {}
  const timed = <T>(name: keyof Explanation['times'], work: () => T): T => {
    const start = performance.now()
    const result = work()
    times[name] = performance.now() - start
    return result
  }
  const found: Mutable<Pick<Explanation, 'nodes' | 'statement' | 'plan' | 'refused'>> = {}
  let pruned: readonly ExplainedPruning[] | undefined
  try {
    timed('parse', () => read.parse())
    const plan = timed('resolve', () => read.resolve((pruning) => prunings.push(pruning)))
    found.nodes = describeNode(plan.root, shown)
    const statement = timed('compile', () => read.bind(read.compile(plan)))
    found.statement = { text: statement.text, ...(values && { values: statement.values }) }
    if (figures || plan.narrowedAnywhere === false) {
      const demand = { group: type.uid, caller: state.caller, signal }
      await rolledBack(read.store, demand, async (tx) => {
        const report = await read.bounded(plan, () => explained(statement, tx))
        times.plan = report['Planning Time']
        times.execute = report['Execution Time']
        found.plan = describeStep(report.Plan, { values })
        const hidden = await countHidden(plan, prunings, read, tx)
        pruned = describePrunings(prunings, shown, hidden)
      })
    }
  } catch (error) {
    if (!(error instanceof OctavoError)) throw error
    const { status, name, code, message } = error
    found.refused = { status, name, code, message }
  }
  return {
    type: type.uid,
    action,
    pruned: pruned ?? describePrunings(prunings, shown, new Map()),
    ...(figures && { cache: read.isCached ? ('hit' as const) : ('miss' as const) }),
    ...found,
    times,
  }
}

async function explained({ text, values }: Statement, tx: Queryable) {
  const [row] = await tx.query(withAnalyze(text), values)
  return readReport(row?.[0])
}

const withAnalyze = (text: string): string => `explain (analyze, format json) ${text}`

class RollBack extends Error {}

/** Runs `work` in a read-only transaction, which is never committed. */
async function rolledBack(
  store: Store,
  demand: Parameters<Store['transaction']>[1],
  work: (tx: Queryable) => Promise<void>,
): Promise<void> {
  try {
    await store.transaction(async (tx) => {
      await tx.run(sql`set transaction read only`)
      await work(tx)
      throw new RollBack()
    }, demand)
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
}

/** For each condition of a plugin at the root: the number of entries that match without it and not with it. */
async function countHidden(
  plan: QueryPlan,
  prunings: readonly Pruning[],
  { bind, compile }: Pick<ExplainedRead, 'bind' | 'compile'>,
  tx: Queryable,
): Promise<ReadonlyMap<Pruning, number>> {
  const count = async (where: QueryPlan['root']['where']): Promise<number> => {
    const root = { ...plan.root, where, order: [], slice: undefined, children: [], meta: undefined }
    const { text, values } = bind(compile(countPlan(root)))
    const [row] = await tx.query(text, values)
    return Number(row?.[0])
  }
  const atRoot = prunings.filter(({ kind, use }) => kind === 'narrowed' && use === 'root')
  const hidden = new Map<Pruning, number>()
  if (atRoot.length === 0) return hidden
  const matching = await count(plan.root.where)
  for (const pruning of atRoot) {
    if (!pruning.condition) continue
    hidden.set(pruning, (await count(withoutCondition(plan.root.where, pruning.condition))) - matching)
  }
  return hidden
}

function describePrunings(
  prunings: readonly Pruning[],
  shown: ShownValues,
  hidden: ReadonlyMap<Pruning, number>,
): readonly ExplainedPruning[] {
  const described = new Map<string, ExplainedPruning>()
  for (const pruning of prunings) {
    const { kind, by, model, attribute, condition } = pruning
    const hides = hidden.get(pruning)
    const one = {
      kind,
      by,
      at: placeOf(pruning),
      model: model.uid,
      ...(attribute !== undefined && { attribute }),
      ...(condition && { condition: describeCondition(condition, shown) }),
      ...(hides !== undefined && { hides }),
    }
    // An attribute is looked up more than once.
    described.set(JSON.stringify(one), one)
  }
  return [...described.values()]
}

/** `populate[author]`, `filters[author]`, `populate[author][sort][books]`; empty for the root. */
function placeOf({ at, use, via }: Pruning): string {
  const above = populatePath(at)
  if (use !== 'filter' && use !== 'sort') return above
  const name = use === 'filter' ? 'filters' : 'sort'
  const place = above === '' ? name : `${above}[${name}]`
  return via === undefined ? place : `${place}[${via}]`
}
