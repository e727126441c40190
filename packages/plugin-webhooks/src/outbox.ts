import { randomUUID } from 'node:crypto'
import { type Queryable, type Sql, sql } from '@octavo/core'
import { type OwnTable, type PluginHost, param } from '@octavo/core/plugin'

/** Declares the table of deliveries: one row for each event and webhook. A row with `due` is pending. */
export const declareDeliveries = (host: Pick<PluginHost, 'table'>) =>
  host.table('octavo_webhook_deliveries', {
    columns: {
      /** `webhook-id`: the same for all attempts and replays. */
      message: { type: 'text' },
      /** Indexed with `due`, so that the backlog of one webhook delays no other. */
      webhook: { type: 'text', index: ['due'] },
      event: { type: 'text' },
      body: { type: 'text' },
      state: { type: 'text' },
      attempts: { type: 'integer' },
      /** The time of the next attempt; during an attempt, the time at which another process takes over. */
      due: { type: 'timestamp', nullable: true, index: true },
      created_at: { type: 'timestamp' },
      finished_at: { type: 'timestamp', nullable: true },
      /** The status of the last response. */
      status: { type: 'integer', nullable: true },
      error: { type: 'text', nullable: true },
      /** `api::article.article 7`: the entry of an event at a later time; such a row follows the entry until then. */
      entry: { type: 'text', nullable: true, index: true },
    },
  })

export type Deliveries = ReturnType<typeof declareDeliveries>
type RowOf<T> = T extends OwnTable<infer R> ? R : never
type State = 'pending' | 'delivered' | 'failed'
/** A delivery that this process has taken. */
export type Delivery = Pick<RowOf<Deliveries>, 'id' | 'message' | 'webhook' | 'event' | 'body' | 'attempts'>

/** The result of an attempt; without `error`, a success. */
export type Outcome = { readonly status?: number; readonly error?: string }

/** The present time, in whole milliseconds as columns have them. Rounded up, a delivery would wait for a time that has not come. */
const present = sql`date_trunc('milliseconds', now())`

/** A time in the future, by the clock of the database. */
const later = (milliseconds: number) =>
  sql`now() + ${param(milliseconds, 'float8')} * interval '1 millisecond'`

/** Expressions over the rows of `from`. */
export interface DeliveryValues {
  readonly from: Sql
  readonly body: Sql
  /** For an event at a later time. Default: the event is due now. */
  readonly later?: { readonly due: Sql; readonly entry: Sql }
}

/** The statement that adds a delivery to each of the webhooks. */
export function deliveryOf(
  table: Deliveries,
  event: string,
  webhooks: readonly string[],
  { body, from, later }: DeliveryValues,
): Sql {
  const messages = webhooks.map(() => `msg_${randomUUID().replaceAll('-', '')}`)
  const to = sql`unnest(${param(messages, 'text[]')}, ${param(webhooks, 'text[]')})`
  return sql`insert into ${sql.id(table.table)} ("message", "webhook", "event", "body", "state", "attempts", "due", "created_at", "entry") select "d"."message", "d"."webhook", ${param(event, 'text')}, ${body}, 'pending', 0, ${later?.due ?? present}, now(), ${later?.entry ?? sql`null`} from ${from}, ${to} as "d" ("message", "webhook")`
}

/** Deliveries that one statement of the upkeep changes, so that it ends within the time of statements and lets claims through. */
export const batch = 10_000

/** The deliveries of a database, or of a transaction. */
export class Outbox {
  readonly #db: Queryable
  readonly #table: Deliveries

  constructor(db: Queryable, table: Deliveries) {
    this.#db = db
    this.#table = table
  }

  /**
   * Claims due deliveries for the time of a lease. Processes skip the rows that another process is claiming; when a process
   * dies, others claim its deliveries after the lease.
   *
   * @param free The free slots of each webhook.
   * @param lease In milliseconds.
   */
  async claim(free: ReadonlyMap<string, number>, lease: number): Promise<readonly Delivery[]> {
    const open = [...free].filter(([, slots]) => slots > 0)
    if (open.length === 0) return [] // the next delivery that ends looks again
    const [names, slots] = [open.map(([name]) => name), open.map(([, count]) => count)]
    // The comparison of rows and the order with the webhook make PostgreSQL use the index over both columns. With an index over the times alone, it
    // would read the whole backlog of a slow webhook to find that another has nothing. The order has no id: all deliveries of one time would be sorted.
    const due = sql`array(
      select "d"."id"
      from unnest(${param(names, 'text[]')}, ${param(slots, 'int8[]')}) as "w" ("name", "slots"), lateral (
        select "id" from ${sql.id(this.#table.table)}
        where ("webhook", "due") >= ("w"."name", '-infinity') and ("webhook", "due") <= ("w"."name", now())
        order by "webhook", "due" limit "w"."slots" for update skip locked
      ) as "d")`
    return this.#db.rows(this.#table).update({
      where: { id: { $eq: sql`any(${due})` } },
      set: { attempts: (attempts) => sql`${attempts} + 1`, due: later(lease) },
      returning: ['id', 'message', 'webhook', 'event', 'body', 'attempts'],
    })
  }

  /**
   * Records an attempt, unless another process has taken over since.
   * @param retry The delay in milliseconds before the next attempt; `undefined` when this was the last one.
   */
  async record({ id, attempts }: Delivery, outcome: Outcome, retry: number | undefined): Promise<void> {
    const { status = null, error = null } = outcome
    const isPending = error !== null && retry !== undefined
    const state: State = isPending ? 'pending' : error === null ? 'delivered' : 'failed'
    const times = isPending ? { due: later(retry) } : { due: null, finished_at: sql`now()` }
    const where = { id, attempts, state: 'pending' }
    await this.#db.rows(this.#table).update({ where, set: { state, status, error, ...times } })
  }

  /**
   * Ends the oldest deliveries of the webhooks of which more are pending, a batch with each step. Publications to come do not count.
   * @returns the number of those that each step ended
   */
  async *giveUp(most: number): AsyncGenerator<{ readonly webhook: string; readonly deliveries: number }> {
    const table = sql.id(this.#table.table)
    const waiting = sql`"due" is not null and ("entry" is null or "attempts" > 0 or "due" <= now())`
    const full = sql`select "webhook" from ${table} where ${waiting} group by "webhook" having count(*) > ${param(most, 'int8')}`
    // An id and not a number to give up, so that several processes together give up no more than one.
    const newest = sql`select "id" from ${table} where "webhook" = "f"."webhook" and ${waiting} order by "id" desc offset ${param(most, 'int8')} limit 1`
    const queues = await this.#db.run(
      sql`select "f"."webhook", "d"."id" from (${full}) as "f", lateral (${newest}) as "d"`,
    )
    const set = { state: 'failed', error: `more than ${most} deliveries were pending`, due: null } as const
    for (const queue of queues) {
      const webhook = String(queue.webhook)
      for (let last = 0, ended = batch; ended === batch; ) {
        const oldest = sql`array(select "id" from ${table} where "webhook" = ${webhook} and ${waiting} and "id" > ${last} and "id" <= ${Number(queue.id)} order by "id" limit ${sql.lit(batch)})`
        const rows = await this.#db.rows(this.#table).update({
          where: { id: { $eq: sql`any(${oldest})` }, state: 'pending' },
          set: { ...set, finished_at: sql`now()` },
          returning: ['id'],
        })
        ended = rows.length
        last = rows.reduce((most, { id }) => Math.max(most, id), last)
        if (ended > 0) yield { webhook, deliveries: ended }
      }
    }
  }

  /** Deletes the oldest finished deliveries above a number, a batch of them. @returns whether there may be more */
  async prune(kept: number): Promise<boolean> {
    const table = sql.id(this.#table.table)
    const newest = sql`select "id" from ${table} where "due" is null order by "id" desc offset ${param(kept, 'int8')} limit 1`
    const oldest = sql`select "id" from ${table} where "due" is null and "id" <= (${newest}) order by "id" limit ${sql.lit(batch)}`
    const deleted = await this.#db.run(
      sql`delete from ${table} where "due" is null and "id" = any(array(${oldest})) returning "id"`,
    )
    return deleted.length === batch
  }

  /** Makes deliveries due again. @returns their ids. */
  async replay(where: { readonly id: readonly number[] } | { readonly state: State }): Promise<number[]> {
    // Without its entry: of a publication at a time, the next write of the entry would change or delete it.
    const set = { state: 'pending', attempts: 0, due: present, finished_at: null, entry: null }
    const rows = await this.#db.rows(this.#table).update({ where, set, returning: ['id'] })
    return rows.map(({ id }) => id)
  }

  /** The last 100 deliveries of a webhook, newest first. */
  of(webhook: string) {
    return this.#db.rows(this.#table).find({ where: { webhook }, orderBy: { id: 'desc' }, limit: 100 })
  }

  /** The last 100 deliveries in one of the states, newest first. Without states, in any. */
  last(states: readonly State[]) {
    const where = states.length > 0 ? { state: states } : {}
    return this.#db.rows(this.#table).find({ where, orderBy: { id: 'desc' }, limit: 100 })
  }
}
