import { sql, type Transaction } from '@octavo/core'
import { param, type Registry } from '@octavo/core/plugin'
import { editorUid } from '../model/uids.ts'
import type { Source } from '../source/source.ts'

/** Sets who made and changed entries, where the server has editors. */
export async function setCreators(tx: Transaction, registry: Registry, source: Source): Promise<void> {
  if (!source.creators || !registry.contentTypes.has(editorUid)) return
  for await (const batch of source.creators()) {
    const type = registry.contentTypes.get(batch[0]?.type ?? '')
    if (type?.attributes.get('createdBy')?.kind !== 'relation') continue
    const rows = JSON.stringify(
      batch.map(({ id, createdBy, updatedBy }) => ({
        id,
        made: createdBy,
        changed: updatedBy,
        maker: createdBy === null ? null : `editor ${createdBy}`,
        changer: updatedBy === null ? null : `editor ${updatedBy}`,
      })),
    )
    const columns = type.columns
    const named = (name: string) => sql.id(columns.get(name)?.column ?? name)
    await tx.run(
      sql`update ${sql.id(type.table)} as t set ${named('createdBy')} = (select e."id" from "desk_editors" e where e."id" = g."made"), ${named('updatedBy')} = (select e."id" from "desk_editors" e where e."id" = g."changed"), ${named('createdByCaller')} = g."maker", ${named('updatedByCaller')} = g."changer" from jsonb_to_recordset(${param(rows, 'text')}::jsonb) as g("id" int, "made" int, "changed" int, "maker" text, "changer" text) where t."id" = g."id"`,
    )
  }
}
