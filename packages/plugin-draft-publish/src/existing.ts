import { type ContentType, type PluginHost, type ScalarAttribute, sql } from '@octavo/core'

/**
 * Publishes the entries that were there before the type had drafts, as of the time they were created, so that none of
 * them disappears. Once for a type: later a null in `publishedAt` means a draft.
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
