import type { Bindable, Compiled, Row, StatementBounds } from '@octavo/database'
import { compileRowCount } from '../compile/count-rows.ts'
import { exceededBound } from '../compile/guards.ts'
import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import { shortestLayout } from '../plan/layout.ts'
import { nameOf, type PlanNode, type QueryPlan } from '../plan/plan.ts'
import { nodesBelow } from '../plan/walk.ts'
import type { ReadRequest } from '../requests.ts'
import { deepestList, listsWithinLists } from '../resolve/lists.ts'

type Bounds = Pick<Limits, 'answerRows' | 'answerBytes'>

/** The statements to run a bounded read; see {@link boundSize}. */
export interface BoundedRead {
  readonly plan: QueryPlan
  /** The values; the last is the bound in bytes, of {@link harmlessBytes}. */
  readonly values: readonly Bindable[]
  /** The bounds that the statement enforces itself. */
  readonly bounds: StatementBounds
  /** @param isLarge Whether the answer is known to be large: few such answers are read at once, which bounds their memory. */
  readonly run: (values: readonly Bindable[], isLarge?: boolean) => Promise<readonly Row[]>
  /** Runs a statement that counts rows. */
  readonly query: (statement: Compiled) => Promise<readonly Row[]>
  /** Whether it runs in a transaction, which takes no further statement after one that failed. */
  readonly inTransaction: boolean
  /** See {@link ReadRequest.requireRoom}. */
  readonly requireRoom: ReadRequest['requireRoom'] | undefined
}

/**
 * Bytes up to which a response cannot exceed the row limit, however short its rows. Responses of so few bytes (nearly all) are
 * never counted.
 */
export const harmlessBytes = ({ root, layout }: QueryPlan, { answerRows, answerBytes }: Bounds): number =>
  Math.min(answerBytes, answerRows * (layout ? shortestLayout(layout.row) : shortestRow(root)))

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
export async function boundedRows(read: BoundedRead, limits: Bounds): Promise<readonly Row[]> {
  const { plan, values, run, requireRoom } = read
  if (plan.kind === 'count') return run(values)
  const rows = await run(values).catch(async (error: unknown) => {
    throw await sizeError(read, limits, error)
  })
  const bytes = bytesOf(rows)
  if (bytes <= Number(values.at(-1))) return rows.map(withoutBytes)
  if (bytes > limits.answerBytes) throw await tooManyBytes(read, limits)
  requireRoom?.(bytes)
  const counts = await countRows(read, limits.answerRows)
  const total = counts.reduce((sum, { rows }) => sum + rows, 0)
  if (total > limits.answerRows) throw tooManyRows(largest(counts), limits)
  return (await run([...values.slice(0, -1), limits.answerBytes], true)).map(withoutBytes)
}

/** The error of a statement that failed for one of its own bounds; any other error unchanged. */
async function sizeError(read: BoundedRead, limits: Bounds, error: unknown): Promise<unknown> {
  const bound = exceededBound(error)
  if (bound === undefined) return error
  if (bound === 'bytes' && !read.inTransaction) return tooManyBytes(read, limits)
  return deepError(read.plan, limits, bound)
}

/** The error of a plan whose parts are not counted. */
export function deepError({ root }: QueryPlan, limits: Bounds, bound: 'rows' | 'bytes'): Error {
  const at = deepestList(root)
  if (bound === 'rows') return tooManyRows(at, limits)
  return problem('query/answer-too-large', { at, limit: limits.answerBytes, unit: 'bytes' })
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
async function countRows({ plan, query, bounds }: BoundedRead, most: number): Promise<readonly Count[]> {
  const [row = []] = await query(compileRowCount(plan, most, bounds))
  const names = ['pagination', ...plan.root.children.map((child) => `populate[${nameOf(child)}]`)]
  return names.map((at, i) => ({ at, rows: Number(row[i] ?? 0) }))
}

const largest = (counts: readonly Count[]): string =>
  counts.reduce((most, count) => (count.rows > most.rows ? count : most)).at

const tooManyRows = (at: string, { answerRows }: Bounds): Error =>
  problem('query/answer-too-large', { at, limit: answerRows, unit: 'entries and components' })

/** Rows of a list that are counted to find the largest one. */
const sample = 1_000

/** Lists within lists are not counted for their names: counting could take as long as reading them. */
async function tooManyBytes(read: BoundedRead, limits: Bounds): Promise<Error> {
  if (listsWithinLists(read.plan.root) > 1) return deepError(read.plan, limits, 'bytes')
  const at = largest(await countRows(read, sample))
  return problem('query/answer-too-large', { at, limit: limits.answerBytes, unit: 'bytes' })
}
