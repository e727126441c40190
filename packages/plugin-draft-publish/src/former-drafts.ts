import { ConfigurationError, type Octavo, type Queryable, sql } from '@octavo/core'
import { type ContentType, type PluginHost, param, type SchemaCheck } from '@octavo/core/plugin'

const tableName = 'octavo_drafts'

/** Content-types that have or had drafts: one whose `draftAndPublish` was switched off keeps the column `published_at`. */
const declareTable = (host: Pick<PluginHost, 'table'>) =>
  host.table(tableName, {
    columns: { type: { type: 'text' }, drafts: { type: 'boolean' } },
    primaryKey: 'type',
  })

/**
 * Keeps drafts hidden when `draftAndPublish` of their type is switched off, by refusing the start: without the attribute they would be
 * returned like all other entries. The commands that publish or delete them run nevertheless.
 */
export class FormerDrafts {
  readonly #table: ReturnType<typeof declareTable>
  readonly #octavo: () => Octavo
  readonly #hidden = new Map<string, number>()
  #isRunning = false

  constructor(host: Pick<PluginHost, 'table' | 'start'>) {
    this.#table = declareTable(host)
    this.#octavo = host.start((octavo) => octavo)
  }

  /** Refuses the start, once all content-types are noted. @throws ConfigurationError */
  refuseHidden({ command = '' }: Pick<Octavo, 'command'>): void {
    if (!command.startsWith('drafts ')) this.#refuse()
    this.#isRunning = true
  }

  /**
   * Notes whether a type has drafts, and publishes the entries from the time without them.
   * @throws ConfigurationError for a type that is added to a running server and would show its drafts.
   */
  async note(type: ContentType, hasDrafts: boolean): Promise<void> {
    const { store } = this.#octavo()
    const rows = store.rows(this.#table)
    const noted = await rows.first({ where: { type: type.uid }, select: ['drafts'] })
    if (!noted && !hasDrafts) return
    if (noted?.drafts === true && !hasDrafts) {
      const count = await this.count(type)
      if (count > 0) {
        this.#hidden.set(type.uid, count)
        if (this.#isRunning) this.#refuse()
        return
      }
    }
    this.#hidden.delete(type.uid)
    if (noted?.drafts === hasDrafts) return
    await store.transaction(async (tx) => {
      if (noted && hasDrafts) {
        // With a limit, each start over a large table would fail.
        await tx.liftTimeLimits()
        await tx.run(publishAll(type))
      }
      await tx
        .rows(this.#table)
        .insert({ type: type.uid, drafts: hasDrafts }, { onConflict: { on: ['type'], set: ['drafts'] } })
    })
  }

  /** The number of drafts of a type that has or had them. */
  async count(type: ContentType): Promise<number> {
    const { store } = this.#octavo()
    if (!(await store.rows(this.#table).first({ where: { type: type.uid }, select: ['type'] }))) return 0
    return draftsIn(type, store)
  }

  /** The ids of the next drafts of such a type, at most so many. */
  async after(id: number, most: number, { table }: ContentType): Promise<readonly number[]> {
    const found = await this.#octavo().store.run(
      sql`select "id" from ${sql.id(table)} where "id" > ${id} and ${isDraft} order by "id" limit ${most}`,
    )
    return found.map((row) => Number(row.id))
  }

  #refuse(): void {
    const hidden = new Map(this.#hidden)
    this.#hidden.clear()
    refuse(hidden)
  }
}

/** @param hidden The number of drafts of each content-type. @throws ConfigurationError unless there are none */
function refuse(hidden: ReadonlyMap<string, number>): void {
  if (hidden.size === 0) return
  const [[uid = ''] = []] = hidden
  const counts = [...hidden].map(([name, count]) => `${name} has ${count}`).join(', ')
  throw new ConfigurationError(
    `Without draftAndPublish, drafts would become visible: ${counts}. Switch it on again, or publish or delete them first: ` +
      `octavo drafts publish ${uid}, or octavo drafts delete ${uid}`,
  )
}

/** Refuses before a start what {@link FormerDrafts} refuses at it. @throws ConfigurationError */
export async function refuseFormer(
  { registry, store }: SchemaCheck,
  hasDrafts: (type: ContentType) => boolean,
): Promise<void> {
  // Without the notes no start had this plugin, and without the column the type has no drafts.
  const columns = await store.run(
    sql`select table_name as "table" from information_schema.columns where table_schema = current_schema() and column_name = 'published_at'`,
  )
  const [notes] = await store.run(sql`select to_regclass(${sql.lit(tableName)}) as "table"`)
  if (!notes?.table) return
  const noted = await store.run(sql`select "type" from ${sql.id(tableName)} where "drafts"`)
  const [tables, uids] = [new Set(columns.map(({ table }) => table)), new Set(noted.map(({ type }) => type))]
  const hidden = new Map<string, number>()
  for (const type of registry.contentTypes.values()) {
    if (hasDrafts(type) || !uids.has(type.uid) || !tables.has(type.table)) continue
    const count = await draftsIn(type, store)
    if (count > 0) hidden.set(type.uid, count)
  }
  refuse(hidden)
}

async function draftsIn({ table }: ContentType, db: Pick<Queryable, 'run'>): Promise<number> {
  const [row] = await db.run(sql`select count(*) as "count" from ${sql.id(table)} where ${isDraft}`)
  return Number(row?.count)
}

const isDraft = sql`"published_at" is null`

/** Publishes all drafts of a type, or some of them, by its column: the type need not have the attribute. */
export const publishAll = ({ table }: ContentType, ids?: readonly number[]) =>
  sql`update ${sql.id(table)} set "published_at" = now() where ${isDraft}${ids ? sql` and "id" = any(${param(ids, 'int4[]')})` : sql``}`

/** The entry with an id if it is published, by its column: the type need not have the attribute. */
export const publishedWith = ({ table }: ContentType, id: number) =>
  sql`select "id" from ${sql.id(table)} where not (${isDraft}) and "id" = ${param(id, 'int4')}`
