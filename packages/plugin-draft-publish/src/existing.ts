import type { ContentType, ScalarAttribute, Store } from '@octavo/core'

/**
 * Publishes the entries that were there before the type had drafts, as of when they were made: nobody shall miss them.
 * Done once for a type: a note in the database says so, since later a null means a draft.
 */
export async function publishExisting(
  store: Store,
  { table }: ContentType,
  { column }: ScalarAttribute,
): Promise<void> {
  const note = `draft-publish:${table}`
  const [known] = await store.query('select 1 from octavo_schema where key = $1', [note])
  if (known) return
  await store.transaction(async (tx) => {
    const noted = await tx.query(
      `insert into octavo_schema values ($1, 'published') on conflict do nothing returning key`,
      [note],
    )
    // Another process that started at the same moment has done it.
    if (noted.length === 0) return
    // Both names are the registry's, which lets through nothing that would need more than quotes.
    await tx.query(
      `update "${table}" set "${column}" = coalesce("created_at", now()) where "${column}" is null`,
    )
  })
}
