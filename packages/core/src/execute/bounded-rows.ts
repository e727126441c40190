import type { Bindable, Compiled, Row } from '@octavo/database'
import { compileRowCount } from '../compile/count-rows.ts'
import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import type { PlanNode, QueryPlan } from '../plan/plan.ts'
import { nodesBelow } from '../plan/walk.ts'
import type { ReadRequest } from '../requests.ts'

type Bounds = Pick<Limits, 'answerRows' | 'answerBytes'>

/** The statements to run a bounded read; see {@link boundSize}. */
export interface BoundedRead {
  readonly plan: QueryPlan
  /** The values; the last is the bound in bytes, of {@link harmlessBytes}. */
  readonly values: readonly Bindable[]
  /** Whether the plan is known to be large: its rows are then counted before the JSON is built. */
  readonly isLarge: boolean
  /** @param isLarge Whether the answer is known to be large: few such answers are read at once, which bounds their memory. */
  readonly run: (values: readonly Bindable[], isLarge?: boolean) => Promise<readonly Row[]>
  readonly query: (statement: Compiled) => Promise<readonly Row[]>
  /** See {@link ReadRequest.requireRoom}. */
  readonly requireRoom: ReadRequest['requireRoom'] | undefined
}

/**
 * Bytes up to which a response cannot exceed the row limit, however short its rows. Such responses (nearly all) are
 * never counted.
 */
export const harmlessBytes = ({ root }: QueryPlan, { answerRows, answerBytes }: Bounds): number =>
  Math.min(answerBytes, answerRows * shortestRow(root))

/** Bytes of the shortest possible JSON of a row: `{"id":1,"attributes":{"title":1}}`, `{"id":1}`. */
function shortestRow(node: PlanNode): number {
  const braces = node.model.kind === 'component' ? 8 : 24
  const fields = node.select.reduce((bytes, { name }) => bytes + name.length + 4, 0)
  return Math.min(braces + fields, ...nodesBelow(node).map(shortestRow))
}

/**
 * Runs the statement and returns its rows without the column of bytes.
 * @throws PayloadTooLargeError `query/answer-too-large`; the JSON was not sent by PostgreSQL then.
 */
export async function boundedRows(read: BoundedRead, bounds: Bounds): Promise<readonly Row[]> {
  const { plan, values, isLarge, run, requireRoom } = read
  if (plan.kind === 'count') return run(values)
  if (!isLarge) {
    const rows = await run(values)
    const bytes = bytesOf(rows)
    if (bytes <= Number(values.at(-1))) return rows.map(withoutBytes)
    if (bytes > bounds.answerBytes) throw await tooLarge(read, bounds)
    requireRoom?.(bytes)
  }
  const counts = await countRows(read, bounds.answerRows)
  const total = counts.reduce((sum, { rows }) => sum + rows, 0)
  if (total > bounds.answerRows) {
    throw problem('query/answer-too-large', {
      at: largest(counts),
      limit: bounds.answerRows,
      unit: 'entries and components',
    })
  }
  const rows = await run([...values.slice(0, -1), bounds.answerBytes], true)
  if (bytesOf(rows) > bounds.answerBytes) throw await tooLarge(read, bounds)
  return rows.map(withoutBytes)
}

function bytesOf(rows: readonly Row[]): number {
  let bytes = 0
  for (const row of rows) bytes += Number(row.at(-1) ?? 0)
  return bytes
}
const withoutBytes = (row: Row): Row => row.slice(0, -1)

interface Count {
  /** The node's name in the query string. */
  readonly at: string
  readonly rows: number
}

/** Counts the rows of the page and those below each of its populated children. */
async function countRows({ plan, query }: BoundedRead, most: number): Promise<readonly Count[]> {
  const [row = []] = await query(compileRowCount(plan, most))
  const names = ['pagination', ...plan.root.children.map(({ attribute }) => `populate[${attribute.name}]`)]
  return names.map((at, i) => ({ at, rows: Number(row[i] ?? 0) }))
}

const largest = (counts: readonly Count[]): string =>
  counts.reduce((most, count) => (count.rows > most.rows ? count : most)).at

async function tooLarge(read: BoundedRead, { answerRows, answerBytes }: Bounds): Promise<Error> {
  const at = largest(await countRows(read, answerRows))
  return problem('query/answer-too-large', { at, limit: answerBytes, unit: 'bytes' })
}
