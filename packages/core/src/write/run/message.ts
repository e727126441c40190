import { type BatchedTransaction, join, type Row, type Sql, sql } from '@octavo/database'
import { idsSetting } from '../../compile/written-ids.ts'
import type { Registry } from '../../content-type/model.ts'
import type { WriteStatement } from '../../plugin/hooks.ts'
import { uniqueKeys } from '../../schema/unique-keys.ts'
import { type Check, type Found, lockOf } from '../check/check.ts'
import { type RowIds, takenIds } from '../compile/ids.ts'
import { sendStatements } from '../compile/plugin-statements.ts'
import { keysOf } from '../compile/relations.ts'
import { insertFirstOf } from '../compile/row-statements.ts'
import { saveExisting, saveRows } from '../compile/save-rows.ts'
import { InputMistakes } from '../input/mistakes.ts'
import { allRows, type RowWrite, type WritePlan } from '../input/write-plan.ts'
import type { MessagePlan } from '../strategy.ts'

/** The outcome of a message. A write that is refused, or whose entry is missing, has changed nothing. */
export type Outcome =
  | { readonly kind: 'written'; readonly id: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly error: unknown }

/**
 * Sends a write with its checks. The first statement runs the checks and sets the ids of the rows, or none when a check found
 * something. The other statements act on these ids, so they do nothing then. A deletion follows the statement of the answer, and is
 * not sent here.
 *
 * @param ids Of the message. @param statements Those of plugins.
 * @returns the outcome, once the first statement has run
 */
export async function sendMessage(
  { plan, checks }: MessagePlan,
  { ids, statements }: { readonly ids: RowIds; readonly statements: readonly WriteStatement[] },
  registry: Registry,
  tx: BatchedTransaction,
): Promise<() => Outcome> {
  const { row } = plan
  let first: Row | undefined
  const receive = (one: Row): void => {
    first = one
  }
  if (statements.length > 0) tx.stayAlone()
  limitSharing(plan, tx)
  const isOneRow = allRows(row).length === 1
  if (plan.kind === 'insert' && isOneRow && checks.length + statements.length === 0) {
    tx.send(insertFirstOf(row), receive)
    await saveExisting([{ row, owner: undefined }], ids, registry, tx)
  } else {
    // Checks that read the entry then see what the transaction left that had it locked.
    if (plan.kind === 'update' && checks.some(({ readsEntry }) => readsEntry))
      tx.send(lockOf(row, 'no key update'))
    tx.send(firstStatement(checks, takenIds([row])), receive)
    sendStatements(statements, 'before', tx)
    if (plan.kind !== 'delete') await saveRows([row], ids, registry, tx)
  }
  if (plan.kind !== 'delete') sendStatements(statements, 'after', tx)
  return () => outcomeOf(plan, checks, first)
}

/** Its row has the ids, and what the checks found as JSON: lists of the number of the check, `n` and `id`. */
function firstStatement(checks: readonly Check[], ids: Sql): Sql {
  if (checks.length === 0) return sql`select set_config('${sql.raw(idsSetting)}', ${ids}::text, true), null`
  const found = checks.map(
    ({ finds }, i) =>
      sql`select ${sql.lit(i)} as "check", "c"."n", "c"."id" from (${finds}) as "c" ("n", "id")`,
  )
  return sql`select set_config('${sql.raw(idsSetting)}', case when "f"."found" is null then ${ids}::text else '{}' end, true), "f"."found" from (select json_agg(json_build_array("check", "n", "id")) as "found" from (${join(found, ' union all ')}) as "c") as "f"`
}

function outcomeOf({ kind }: WritePlan, checks: readonly Check[], first: Row | undefined): Outcome {
  if (!first) throw new Error('The first statement of a message has no result yet')
  const [ids, found] = first
  if (found === null) return { kind: 'written', id: Number(/^\{(\d+)/.exec(String(ids))?.[1]) }
  const rows = JSON.parse(String(found)) as readonly (readonly [check: number, ...Found])[]
  // The first check of an update or a delete is that there is the entry.
  if (kind !== 'insert' && rows.some(([check]) => check === 0)) return { kind: 'missing' }
  const mistakes = new InputMistakes()
  try {
    const byCheck = Map.groupBy(rows, ([check]) => checks[check])
    for (const [check, its] of byCheck)
      check?.report(
        its.map(([, n, id]): Found => [n, id]),
        mistakes,
      )
    mistakes.throwIfAny()
    throw new Error('A check found something that it does not report')
  } catch (error) {
    return { kind: 'refused', error }
  }
}

/** Which transactions the message may share: two that wait for the same rows in another order would wait for each other. */
function limitSharing({ kind, row }: WritePlan, tx: BatchedTransaction): void {
  const rows = allRows(row)
  const keys = keysOf(row)
  const isAlone =
    kind !== 'insert' ||
    rows.some(hasUniqueValues) ||
    row.morphs.length > 0 ||
    keys.length < row.relations.length
  if (isAlone || rows.slice(1).some(({ relations }) => relations.length > 0)) tx.stayAlone()
  // The check of a named row waits while another transaction deletes it.
  else if (keys.length > 0) tx.shareAmong(keys.map(({ id }) => id).join())
}

/** Whether the insert of a row waits for one with the same values in another transaction. */
const hasUniqueValues = ({ model, values }: RowWrite): boolean =>
  uniqueKeys(model).some(({ attribute }) => (values.get(attribute) ?? null) !== null)
