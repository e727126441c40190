import { sql } from '@octavo/core'
import type { ContentType, PluginHost, ScalarAttribute } from '@octavo/core/plugin'

/**
 * Publishes the entries that existed before the type had drafts, with `createdAt` as `publishedAt`, so that they stay
 * visible. Runs once per type: later, a null in `publishedAt` means a draft.
 */
export async function publishExisting(
  type: ContentType,
  publishedAt: ScalarAttribute | undefined,
  host: PluginHost,
): Promise<void> {
  if (!publishedAt) return
  await host.once(type.table, async (tx) => {
    await tx.rows(type).update({
      where: { [publishedAt.name]: null },
      set: { [publishedAt.name]: sql`coalesce("t"."created_at", now())` },
    })
  })
}
