import { ConfigurationError, type Octavo, sql } from '@octavo/core'
import type { ContentType, PluginHost } from '@octavo/core/plugin'

/** Content-types that have or had drafts: one whose `draftAndPublish` was switched off keeps the column `published_at`. */
const declareTable = (host: Pick<PluginHost, 'table'>) =>
  host.table('octavo_drafts', {
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
      const count = (await this.drafts(type)).length
      if (count > 0) {
        this.#hidden.set(type.uid, count)
        if (this.#isRunning) this.#refuse()
        return
      }
    }
    this.#hidden.delete(type.uid)
    if (noted?.drafts === hasDrafts) return
    await store.transaction(async (tx) => {
      if (noted && hasDrafts) await tx.run(publishAll(type))
      await tx
        .rows(this.#table)
        .insert({ type: type.uid, drafts: hasDrafts }, { onConflict: { on: ['type'], set: ['drafts'] } })
    })
  }

  /** The ids of the drafts of a type that has or had them. */
  async drafts(type: ContentType): Promise<readonly number[]> {
    const { store } = this.#octavo()
    if (!(await store.rows(this.#table).first({ where: { type: type.uid }, select: ['type'] }))) return []
    const found = await store.run(
      sql`select "id" from ${sql.id(type.table)} where "published_at" is null order by "id"`,
    )
    return found.map(({ id }) => Number(id))
  }

  #refuse(): void {
    if (this.#hidden.size === 0) return
    const [[uid = ''] = []] = this.#hidden
    const counts = [...this.#hidden].map(([name, count]) => `${name} has ${count}`).join(', ')
    this.#hidden.clear()
    throw new ConfigurationError(
      `Without draftAndPublish, drafts would become visible: ${counts}. Switch it on again, or publish or delete them first: ` +
        `octavo drafts publish ${uid}, or octavo drafts delete ${uid}`,
    )
  }
}

/** Publishes all drafts of a type, by its column: the type need not have the attribute. */
export const publishAll = ({ table }: ContentType) =>
  sql`update ${sql.id(table)} set "published_at" = now() where "published_at" is null`
