import { type BatchedTransaction, param, type Row, type Sql, sql, where } from '@octavo/database'
import { idsName } from '../../compile/written-ids.ts'
import type { Registry } from '../../content-type/model.ts'
import type { RowAnswer } from '../../execute/prepared.ts'
import type { WriteStatement } from '../../plugin/write-event.ts'
import { uniqueKeys } from '../../schema/tables/unique-keys.ts'
import { type Check, foundBy, isPermitted, reportFound } from '../check/check.ts'
import { idsBelow, type RowIds } from '../compile/ids.ts'
import { sendStatements } from '../compile/plugin-statements.ts'
import { insertRowOf, nextId, updateOf } from '../compile/row-statements.ts'
import { saveRows } from '../compile/save-rows.ts'
import { InputMistakes } from '../input/mistakes.ts'
import {
  allRows,
  type RelationWrite,
  type RowWrite,
  referencesOf,
  type WritePlan,
} from '../input/write-plan.ts'
import type { MessagePlan } from '../strategy.ts'

/** The outcome of a message. A write that is refused, or whose entry is missing, has changed nothing. */
export type Outcome =
  /** The answer is null where the message was sent without one. */
  | { readonly kind: 'written'; readonly id: number; readonly answer: string | null }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly error: unknown }

/** The parts of a message besides its write. */
interface MessageParts {
  readonly ids: RowIds
  /** Of plugins. */
  readonly statements: readonly WriteStatement[]
  /** The answer as an expression over the written row, where it is made by the first statement. */
  readonly answer: RowAnswer | undefined
}

/**
 * Sends a write with its checks. The first statement runs the checks, writes the entry's own row where they found nothing, answers it,
 * and sets the ids of the rows for the other statements. Without a written row there are no ids, so these do nothing then. A deletion,
 * and a row that statements of plugins see as it was, are locked only, and written by a later statement; the deletion is not sent here,
 * since the answer may be read before it.
 *
 * @returns the outcome, once the first statement has run
 */
export function sendMessage(
  message: MessagePlan,
  { ids, statements, answer }: MessageParts,
  registry: Registry,
  tx: BatchedTransaction,
): () => Outcome {
  const { plan, checks } = message
  const { kind, row } = plan
  let first: Row | undefined
  if (statements.length > 0) tx.stayAlone()
  limitSharing(plan, tx)
  // Checks that read the entry then see what the transaction left that had it locked.
  if (checks.some(({ readsEntry }) => readsEntry)) tx.send(sql`${entryOf(row)} for no key update`)
  const locks = checks.flatMap(({ lock }) => lock ?? [])
  if (locks.length > 0) tx.stayAlone()
  for (const lock of locks) tx.send(lock)
  const isWritten = kind !== 'delete' && !statements.some(({ when }) => when === 'before')
  tx.send(firstStatement(message, { isWritten, answer }), (one) => {
    first = one
  })
  sendStatements(statements, 'before', tx)
  if (kind !== 'delete') {
    saveRows([row], ids, registry, tx, isWritten ? row : undefined)
    sendStatements(statements, 'after', tx)
  }
  return () => outcomeOf(plan, checks, first)
}

/**
 * A statement whose row has the id of the entry, for one that is not written what the checks found as JSON, and the answer. Without an entry to
 * update there is nothing found, since that is more to say than any mistake.
 */
function firstStatement(
  { plan, checks }: MessagePlan,
  { isWritten, answer }: { readonly isWritten: boolean; readonly answer: RowAnswer | undefined },
): Sql {
  const isChecked = checks.length > 0
  const found = isChecked ? sql`"found" as materialized (${foundBy(checks)}), ` : sql``
  const permitted = isChecked ? sql`(select ${isPermitted(checks)} from "found")` : undefined
  const written = writtenBy(plan, isWritten, permitted)
  const exists = plan.kind === 'insert' ? sql`` : sql` and exists (${entryOf(plan.row)})`
  const refused = isChecked
    ? sql`case when "id" is null${exists} then (select to_json("found")::text from "found") end`
    : sql`null`
  const [json, entry] = answer ? [answer.json, answer.bounded] : [sql`null::text`, sql`null`]
  const below = idsBelow(plan.row)
  const ids = sql`case when "id" is null then '{}' else (array["id"]${below ? sql` || ${below}` : sql``})::text end`
  return sql`with ${found}"written" as (${written}) select "id", ${refused}, ${entry}, set_config(${idsName}, ${ids}, true) from (select 1) as "one" left join (select "w"."id", ${json} as "entry" from "written" as "w" offset 0) as "row" on true`
}

/** The row of the entry: inserted, updated, or locked only. @param condition Default: none. */
function writtenBy({ kind, row }: WritePlan, isWritten: boolean, condition: Sql | undefined): Sql {
  const and = condition ? sql` and ${condition}` : sql``
  if (kind === 'insert') {
    const made = isWritten ? insertRowOf(row) : sql`select ${nextId(row.model)} as "id"`
    const returned = isWritten ? sql` returning *` : sql``
    return sql`${made}${where([condition])}${returned}`
  }
  const update = isWritten ? updateOf(row, param(row.id ?? null, 'int4')) : undefined
  if (update) return sql`${update}${and} returning *`
  return sql`${entryOf(row)}${and} for ${sql.raw(kind === 'delete' ? 'update' : 'no key update')}`
}

const entryOf = ({ model, id }: RowWrite): Sql =>
  sql`select * from ${sql.id(model.table)} where "id" = ${param(id ?? null, 'int4')}`

function outcomeOf({ kind }: WritePlan, checks: readonly Check[], first: Row | undefined): Outcome {
  if (!first) throw new Error('The first statement of a message has no result yet')
  const [id, found, answer] = first
  if (id !== null) return { kind: 'written', id: Number(id), answer: answer as string | null } // text of PostgreSQL
  if (found === null) return { kind: 'missing' }
  const mistakes = new InputMistakes()
  try {
    reportFound(checks, String(found), mistakes)
    mistakes.throwIfAny()
  } catch (error) {
    return { kind: 'refused', error }
  }
  if (kind === 'insert') throw new Error('A check found something that it does not report')
  // Another transaction deleted the entry at this moment.
  return { kind: 'missing' }
}

/** Limits the transactions that may share the message: two messages that wait for the same rows in another order would wait for each other. */
function limitSharing({ kind, row }: WritePlan, tx: BatchedTransaction): void {
  const isAlone =
    kind === 'delete' ||
    allRows(row).some(
      (one) => hasUniqueValues(one) || one.morphs.length > 0 || !one.relations.every(onlyRefers),
    )
  if (isAlone) tx.stayAlone()
  else tx.shareAmong(namesOf(row), row.id)
}

/** The rows that a write names: its check of one waits while another transaction deletes it. */
const namesOf = (row: RowWrite): string =>
  referencesOf(row)
    .flatMap(({ target, ids }) => [target, ...ids])
    .join()

/** Whether a relation of a row changes no other row. */
const onlyRefers = ({ attribute: { storage, exclusive } }: RelationWrite): boolean =>
  !exclusive && storage.kind !== 'foreign'

/** Whether the insert of a row waits for one with the same values in another transaction. */
const hasUniqueValues = ({ model, values }: RowWrite): boolean =>
  uniqueKeys(model).some(({ attribute }) => (values.get(attribute) ?? null) !== null)
