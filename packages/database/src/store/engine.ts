import type { Demand } from '../admission/work.ts'
import type { Bindable } from '../sql/sql.ts'
import type { RunQuery } from './queryable.ts'
import type {
  BatchedTransaction,
  ConnectionFigures,
  ExecuteOptions,
  MessageHandler,
  Row,
  SessionQuery,
  Statement,
} from './store.ts'

/** The differences between a PostgreSQL server and the embedded engine. Errors are the driver's; the store translates them. */
export interface Engine {
  readonly name: 'postgresql' | 'pglite'
  query(text: string, values?: readonly Bindable[], demand?: Demand): ReturnType<RunQuery>
  /** Runs a statement as a prepared one: for a bounded set of texts. */
  execute(statement: Statement, options?: ExecuteOptions): Promise<readonly Row[]>
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (tx: BatchedTransaction) => Promise<T>, demand?: Demand): Promise<T>
  listen(channel: string, handler: MessageHandler): Promise<void>
  /** As {@link Store.session}. */
  session<T>(work: (run: SessionQuery) => Promise<T>): Promise<T>
  /** Rejects when the database does not answer. */
  ping(): Promise<void>
  connections(): ConnectionFigures | undefined
  close(): Promise<void>
}

/**
 * The settings of every connection, as `pg_settings` has them. Most other settings of a server, a database or a role would change the meaning of
 * statements: the text of dates and numbers, comparisons with `null`, the isolation of transactions, or the printed definitions by which tables
 * are compared. JIT is off, since compiling the large but quick statements would take longer than running them. Random
 * pages cost about as much as sequential ones, since data in use is in memory; the default of 4 is for rotating disks.
 */
export const requiredSettings: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  plan_cache_mode: 'auto',
  quote_all_identifiers: 'off',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  jit: 'off',
  random_page_cost: '1.1',
}

/**
 * Timeouts that a role or a database may have, and that are off in the sessions of Octavo, which has limits of its own: a wait for a lock would fail as
 * an error of the server, and the connection that listens would break whenever nothing is written. `transaction_timeout` exists since PostgreSQL 17.
 */
const foreignTimeouts = ['lock_timeout', 'idle_session_timeout', 'transaction_timeout'] as const

/** The statements that turn the {@link foreignTimeouts} off. */
export const withoutTimeouts: readonly string[] = foreignTimeouts.map(
  (name) => `select set_config('${name}', '0', false) where current_setting('${name}', true) is not null`,
)

/** The statements that make a session have the {@link requiredSettings}, without {@link foreignTimeouts}. */
export const sessionSettings: readonly string[] = [
  ...Object.entries(requiredSettings).map(([name, value]) => `set ${name} to '${value}'`),
  ...withoutTimeouts,
]

/**
 * The functions by which statements of the embedded database check the time (`compile/guards.ts`), since it has no timers. Their
 * declared costs make PostgreSQL call them before any other condition.
 * @param time Milliseconds; `Infinity` for no limit.
 */
export const timeChecks = (time: number): readonly string[] => [
  'create or replace function pg_temp.octavo_random() returns float8 language internal volatile cost 0.0001 as $$drandom$$',
  'create or replace function pg_temp.octavo_greater(float8, float8) returns boolean language internal immutable strict cost 0.0001 as $$float8gt$$',
  `create or replace function pg_temp.octavo_in_time(int4) returns boolean language plpgsql volatile cost 0.0001 as $$
begin
  if clock_timestamp() - statement_timestamp() > interval '${Math.min(Math.ceil(time), 2 ** 31)} milliseconds' then
    raise query_canceled using message = 'octavo: the time of the statement is over';
  end if;
  return true;
end $$`,
]

/** Returns values as the text from PostgreSQL: responses are its JSON text, and no precision is lost. */
export const asText = (text: string): string => text
