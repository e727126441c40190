import { type Octavo, type Queryable, type Sql, sql, type Transaction } from '@octavo/core'
import { type Channel, param } from '@octavo/core/plugin'
import type { Settings } from '../options.ts'
import { batch, type Deliveries } from '../outbox.ts'
import { problem } from '../problems.ts'
import type { Receivers } from '../receivers.ts'
import type { WebhookInput } from './input.ts'
import type { WebhookTable } from './table.ts'
import {
  keyOf,
  newSecret,
  receiverOf,
  type StoredWebhook,
  stored,
  valuesOf,
  type WebhookValues,
  webhookOf,
} from './values.ts'

/** The largest number of webhooks. Each adds a row to each write. */
const mostWebhooks = 100

interface Parts {
  readonly tables: { readonly webhooks: WebhookTable; readonly deliveries: Deliveries }
  readonly settings: Settings
  readonly receivers: Receivers
  readonly changes: Channel<null>
}

/** The webhooks that are made while the server runs. */
export class StoredWebhooks {
  readonly #parts: Parts
  #reading: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Reads the receivers of this process again. One reading at a time, so that an older one does not win. */
  read(db: Queryable): Promise<void> {
    const next = this.#reading.catch(() => {}).then(() => this.#read(db))
    this.#reading = next
    return next
  }

  async #read(db: Queryable): Promise<void> {
    const { receivers, settings } = this.#parts
    const rows = await this.list(db)
    const names = new Map(rows.map(({ id, name }) => [keyOf(id), name]))
    const enabled = rows.filter(({ enabled: isEnabled }) => isEnabled)
    receivers.set(
      names,
      enabled.map((row) => receiverOf(row, settings)),
    )
  }

  /** Reads them again after a change, in each process. */
  async readAfterChange(db: Queryable): Promise<void> {
    await this.read(db)
    await this.removeLeft(db)
  }

  /**
   * Deletes a batch of the deliveries of deleted webhooks: a process may have written events before it learned of the deletion.
   * @returns whether there may be more
   */
  async removeLeft(db: Queryable): Promise<boolean> {
    const { tables } = this.#parts
    const [webhooks, deliveries] = [sql.id(tables.webhooks.table), sql.id(tables.deliveries.table)]
    const next = (after: Sql): Sql =>
      sql`(select "d"."webhook" from ${deliveries} as "d" where "d"."webhook" > ${after} order by "d"."webhook" limit 1)`
    // From name to name along the index: a large backlog is not read to find that each of its webhooks exists.
    const names = sql`${next(sql`''`)} union all select ${next(sql`"n"."webhook"`)} from "n" where "n"."webhook" is not null`
    const isGone = sql`"n"."webhook" like '#%' and not exists (select from ${webhooks} as "w" where '#' || "w"."id" = "n"."webhook")`
    const left = sql`with recursive "n" ("webhook") as (${names}) select "d"."id" from "n" join ${deliveries} as "d" on "d"."webhook" = "n"."webhook" where ${isGone} limit ${sql.lit(batch)}`
    const deleted = await db.run(
      sql`delete from ${deliveries} where "id" = any(array(${left})) returning "id"`,
    )
    return deleted.length === batch
  }

  /** All, in the order in which they were made. */
  async list(db: Queryable): Promise<readonly StoredWebhook[]> {
    const rows = await db.rows(this.#parts.tables.webhooks).find({ orderBy: { id: 'asc' } })
    return rows.map(webhookOf)
  }

  /** @throws NotFoundError */
  async one(id: number, db: Queryable): Promise<StoredWebhook> {
    const row = await db.rows(this.#parts.tables.webhooks).first({ where: { id } })
    if (!row) throw problem('webhook/not-found')
    return webhookOf(row)
  }

  /** Makes a webhook with a new secret. @throws ApplicationError */
  async create(input: WebhookInput & { readonly name: string; readonly url: string }, octavo: Octavo) {
    const values = valuesOf(input, undefined)
    const id = await this.#change(octavo, async (tx) => {
      const rows = tx.rows(this.#parts.tables.webhooks)
      if ((await rows.count({})) >= mostWebhooks) throw problem('webhook/too-many', { most: mostWebhooks })
      await this.#requireFree(values.name, undefined, tx)
      const [row] = await rows.insert(
        { ...stored(values), created_at: sql`now()`, changed_at: sql`now()` },
        { returning: ['id'] },
      )
      return row?.id as number // one row was inserted
    })
    return this.one(id, octavo.store)
  }

  /** @param check Refuses a change by the values before and after it. @throws NotFoundError, ApplicationError */
  async change(
    id: number,
    input: WebhookInput,
    octavo: Octavo,
    check: (former: StoredWebhook, next: WebhookValues) => void,
  ): Promise<StoredWebhook> {
    await this.#change(octavo, async (tx) => {
      const former = await this.one(id, tx)
      const values = valuesOf(input, former)
      check(former, values)
      await this.#requireFree(values.name, id, tx)
      await tx
        .rows(this.#parts.tables.webhooks)
        .update({ where: { id }, set: { ...stored(values), changed_at: sql`now()` } })
      await this.#removeUnwanted(keyOf(id), values, tx)
    })
    return this.one(id, octavo.store)
  }

  /** Deletes the deliveries of publications to come that a webhook no longer receives. They may be months away, unlike all others. */
  async #removeUnwanted(key: string, { events, types }: WebhookValues, tx: Transaction): Promise<void> {
    const isType =
      types === null
        ? sql`"entry" like 'api::%'`
        : sql`split_part("entry", ' ', 1) = any(${param(types, 'text[]')})`
    await tx.run(
      sql`delete from ${sql.id(this.#parts.tables.deliveries.table)} where "webhook" = ${key} and "state" = 'pending' and "attempts" = 0 and "entry" is not null and not ("event" = any(${param(events, 'text[]')}) and ${isType})`,
    )
  }

  /** Adds a secret. The former one signs as well until the next one is made. @param endFormer Whether it ends at once. */
  async rotate(
    id: number,
    endFormer: boolean,
    octavo: Octavo,
    check: (former: StoredWebhook) => void,
  ): Promise<string> {
    const secret = newSecret()
    await this.#change(octavo, async (tx) => {
      const former = await this.one(id, tx)
      check(former)
      const secrets = [secret, ...(endFormer ? [] : former.secrets.slice(0, 1))]
      const set = { secrets: secrets.join(' '), changed_at: sql`now()` }
      await tx.rows(this.#parts.tables.webhooks).update({ where: { id }, set })
    })
    return secret
  }

  /** Deletes a webhook with a batch of its deliveries; the upkeep deletes the rest. @param check May refuse the deletion. @throws NotFoundError */
  async remove(id: number, octavo: Octavo, check: (former: StoredWebhook) => void): Promise<void> {
    await this.#change(octavo, async (tx) => {
      check(await this.one(id, tx))
      await tx.rows(this.#parts.tables.webhooks).delete({ where: { id } })
      await this.removeLeft(tx)
    })
  }

  /**
   * Writes a webhook of a data file, in the transaction of the import.
   * @param at Its place in the file. @throws Error for the id or the name of another webhook, which has neither this name nor this address
   */
  async put(id: number, values: WebhookValues, tx: Transaction, at: string): Promise<void> {
    const rows = tx.rows(this.#parts.tables.webhooks)
    const row = stored(values)
    const known = await rows.first({ where: { id }, select: ['name', 'url'] })
    if (known && known.name !== row.name && known.url !== row.url)
      throw new Error(`${at}: the id ${id} is that of the webhook ${JSON.stringify(known.name)}`)
    const other = await rows.first({ where: { name: row.name, id: { $ne: id } }, select: ['id'] })
    if (other) throw new Error(`${at}.name is that of the webhook ${other.id}`)
    const changed = await rows.update({
      where: { id },
      set: { ...row, changed_at: sql`now()` },
      returning: ['id'],
    })
    if (changed.length === 0)
      await rows.insert({ id, ...row, created_at: sql`now()`, changed_at: sql`now()` })
  }

  /** Moves the id sequence, for an import with given ids. */
  ids(tx: Transaction): { continueIds(least?: number): Promise<void> } {
    return tx.rows(this.#parts.tables.webhooks)
  }

  /** Ends the import of a data file. */
  async imported(tx: Transaction): Promise<void> {
    await this.#parts.changes.publish(null, tx)
  }

  async #change<T>(octavo: Octavo, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = await octavo.store.transaction(async (tx) => {
      await tx.lock('octavo webhooks')
      const done = await work(tx)
      await this.#parts.changes.publish(null, tx)
      return done
    })
    await this.read(octavo.store)
    return result
  }

  async #requireFree(name: string, id: number | undefined, tx: Transaction): Promise<void> {
    const other = await tx
      .rows(this.#parts.tables.webhooks)
      .first({ where: { name, id: { $ne: id ?? 0 } }, select: ['id'] })
    if (other || this.#parts.receivers.configured.has(name)) throw problem('webhook/taken')
  }
}
