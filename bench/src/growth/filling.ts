/** The definitions of content-types that grow, and the upkeep of their tables while they are filled. */

import type { ContentTypeDefinition } from '@octavo/core'
import type { Client } from 'pg'

export const type = (
  singularName: string,
  attributes: ContentTypeDefinition['attributes'],
  rest: Pick<ContentTypeDefinition, 'options' | 'pluginOptions'> = {},
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  attributes,
  ...rest,
})

export const title = { type: 'string', required: true } as const

/** Sets the sequences of the ids after rows with ids were inserted. */
export const setSequences = (client: Client, ...tables: readonly string[]): Promise<unknown> =>
  client.query(
    tables
      .map(
        (table) =>
          `select setval(pg_get_serial_sequence('"${table}"', 'id'), max(id)) from "${table}"; analyze "${table}"`,
      )
      .join(';'),
  )

/** Makes the indexes of a table anew after many rows were inserted, which takes a part of the time of inserting into them. */
export async function withoutIndexes(
  client: Client,
  table: string,
  insert: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select quote_ident(i.relname) as name, pg_get_indexdef(i.oid) as made from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = '"${table}"'::regclass and not x.indisprimary`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await insert()
  await client.query(`set maintenance_work_mem = '1GB'`)
  for (const { made } of rows) await client.query(made)
}
