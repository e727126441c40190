import { type Store, sql } from '@octavo/core'
import { type OwnTable, type PluginHost, param } from '@octavo/core/plugin'
import { beginning, type Cursor } from './cursor.ts'
import { problem } from './problems.ts'

const columns = {
  /** The uid of the content-type. */
  type: { type: 'text' },
  entry: { type: 'bigint' },
  kind: { type: 'text' },
  at: { type: 'timestamp' },
} as const

/**
 * Declares the tables: writes insert into the inbox, from which committed changes move into the feed. A sequence gives its
 * numbers before the commit, so a reader of the inbox could pass a number that is committed later; the numbers of the feed are
 * given under a lock and after the commit.
 */
export const declareTables = (host: Pick<PluginHost, 'table'>) => ({
  inbox: host.table('octavo_changes_inbox', {
    columns: { ...columns, at: { type: 'timestamp', index: true } },
  }),
  feed: host.table('octavo_changes', {
    columns: {
      ...columns,
      /** A random number, by which a cursor knows its change: after a restore, another change has the same id. Null for changes of earlier versions. */
      mark: { type: 'integer', nullable: true },
    },
  }),
})

export type Tables = ReturnType<typeof declareTables>
type RowOf<T> = T extends OwnTable<infer R> ? R : never
export type Change = RowOf<Tables['feed']>

/** The changes of all content-types, in the order of their commits. */
export class Feed {
  readonly #store: Store
  readonly #tables: Tables
  readonly #keep: number

  constructor(store: Store, tables: Tables, keep: number) {
    this.#store = store
    this.#tables = tables
    this.#keep = keep
  }

  /**
   * Moves the committed changes whose time has come into the feed, and deletes the changes above `keep`. One statement may move several changes of
   * an entry. They are in the order of their commits, since a writer has the entry's lock from before its insertion until its commit.
   */
  async move(): Promise<void> {
    const { inbox, feed } = this.#tables
    // Not the time of the transaction, which may have begun before that of a write that has ended since.
    const until = sql`clock_timestamp()`
    const where = { at: { $lte: until } }
    if (!(await this.#store.rows(inbox).first({ where, select: ['id'] }))) return
    const to = sql.id(feed.table)
    await this.#store.transaction(async (tx) => {
      await tx.lock('changes')
      await tx.run(sql`
        with "moved" as (delete from ${sql.id(inbox.table)} where "at" <= ${until} returning *)
        insert into ${to} ("type", "entry", "kind", "at", "mark")
        select "type", "entry", "kind", "at", floor(random() * 2147483648)::int from "moved" order by "id"`)
      // The newest row always stays: the position of the feed is that of its change.
      await tx.run(sql`
        delete from ${to}
        where "id" <= (select "id" from ${to} order by "id" desc offset ${param(this.#keep, 'int8')} limit 1)`)
    })
  }

  /** The position after the newest change. */
  async head(): Promise<Cursor> {
    await this.move()
    const rows = this.#store.rows(this.#tables.feed)
    return (await rows.first({ select: ['id', 'mark'], orderBy: { id: 'desc' } })) ?? beginning
  }

  /**
   * The changes after a position, at most `limit`.
   * @throws GoneError unless the change before the position is stored: it is too old, or of a history that a restore or a failover has ended.
   */
  async after(position: Cursor, limit: number): Promise<readonly Change[]> {
    await this.move()
    // Read before the check, so that a deletion in between is found by it.
    const rows = await this.#store
      .rows(this.#tables.feed)
      .find({ where: { id: { $gt: position.id } }, orderBy: { id: 'asc' }, limit })
    if (!(await this.#isKnown(position))) throw problem('changes/unknown-cursor')
    return rows
  }

  async #isKnown({ id, mark }: Cursor): Promise<boolean> {
    const rows = this.#store.rows(this.#tables.feed)
    if (id > 0) return (await rows.first({ where: { id }, select: ['mark'] }))?.mark === mark
    const first = await rows.first({ select: ['id'], orderBy: { id: 'asc' } })
    return mark === null && (first?.id ?? 1) === 1
  }
}
