import { randomUUID } from 'node:crypto'
import { type OwnTable, type PluginHost, param, type Queryable, type Store, sql } from '@octavo/core'

/** Declares the table of deliveries: one row for each event and webhook. A row with `due` is pending. */
export const declareOutbox = (host: Pick<PluginHost, 'table'>) =>
  host.table('octavo_webhook_deliveries', {
    columns: {
      /** `webhook-id`: the same for all attempts and replays. */
      message: { type: 'text' },
      webhook: { type: 'text' },
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
    },
  })

export type Outbox = ReturnType<typeof declareOutbox>
export type DeliveryState = 'pending' | 'delivered' | 'failed'
type RowOf<T> = T extends OwnTable<infer R> ? R : never
/** A delivery that this process has taken. */
export type Delivery = Pick<RowOf<Outbox>, 'id' | 'message' | 'webhook' | 'event' | 'body' | 'attempts'>

/** The result of an attempt. */
export interface Outcome {
  readonly status?: number
  /** Absent for a success. */
  readonly error?: string
}

/** Adds a delivery to each of the webhooks, in the transaction of the write. */
export async function addDeliveries(
  tx: Queryable,
  outbox: Outbox,
  { event, webhooks, payload }: { event: string; webhooks: readonly string[]; payload: object },
): Promise<void> {
  const body = JSON.stringify(payload)
  await tx.rows(outbox).insert(
    webhooks.map((webhook) => ({
      message: `msg_${randomUUID().replaceAll('-', '')}`,
      webhook,
      event,
      body,
      state: 'pending',
      attempts: 0,
      due: sql`now()`,
      created_at: sql`now()`,
    })),
  )
}

/** A time in the future, by the clock of the database. */
const later = (milliseconds: number) =>
  sql`now() + ${param(milliseconds, 'float8')} * interval '1 millisecond'`

/**
 * Takes due deliveries and reserves them for the time of a lease. Processes skip the rows that another one is taking; when a
 * process dies, others take its deliveries after the lease.
 *
 * @param free The free slots of each webhook.
 * @param lease In milliseconds.
 */
export async function claim(
  store: Store,
  outbox: Outbox,
  free: ReadonlyMap<string, number>,
  lease: number,
): Promise<readonly Delivery[]> {
  const open = [...free].filter(([, slots]) => slots > 0)
  if (open.length === 0) return [] // the next delivery that ends looks again
  const [names, slots] = [open.map(([name]) => name), open.map(([, count]) => count)]
  const due = sql`array(
    select "d"."id"
    from unnest(${param(names, 'text[]')}, ${param(slots, 'int8[]')}) as "w" ("name", "slots"), lateral (
      select "id" from ${sql.id(outbox.table)} where "due" <= now() and "webhook" = "w"."name"
      order by "due", "id" limit "w"."slots" for update skip locked
    ) as "d")`
  return store.rows(outbox).update({
    where: { id: { $eq: sql`any(${due})` } },
    set: { attempts: (attempts) => sql`${attempts} + 1`, due: later(lease) },
    returning: ['id', 'message', 'webhook', 'event', 'body', 'attempts'],
  })
}

/**
 * Records an attempt, unless another process has taken over since.
 * @param retry The delay in milliseconds before the next attempt; `undefined` when this was the last one.
 */
export async function record(
  store: Store,
  outbox: Outbox,
  { id, attempts }: Delivery,
  { status, error }: Outcome,
  retry: number | undefined,
): Promise<void> {
  const isPending = error !== undefined && retry !== undefined
  const state: DeliveryState = isPending ? 'pending' : error === undefined ? 'delivered' : 'failed'
  await store.rows(outbox).update({
    where: { id, attempts, state: 'pending' },
    set: {
      state,
      status: status ?? null,
      error: error ?? null,
      due: isPending ? later(retry) : null,
      finished_at: isPending ? null : sql`now()`,
    },
  })
}

/** Deletes the oldest finished deliveries above the number in `log`. */
export async function prune(store: Store, outbox: Outbox, log: number): Promise<void> {
  const table = sql.id(outbox.table)
  await store.run(sql`
    delete from ${table} where "due" is null and "id" <= (
      select "id" from ${table} where "due" is null order by "id" desc offset ${param(log, 'int8')} limit 1
    )`)
}

/** Makes deliveries due again. @returns their ids. */
export async function replay(
  store: Store,
  outbox: Outbox,
  where: { readonly id: readonly number[] } | { readonly state: DeliveryState },
): Promise<readonly number[]> {
  const set = { state: 'pending', attempts: 0, due: sql`now()`, finished_at: null }
  const rows = await store.rows(outbox).update({ where, set, returning: ['id'] })
  return rows.map(({ id }) => id)
}
