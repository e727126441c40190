import type { Octavo } from '@octavo/core'
import { closedUids, editorUid, fileUid, names, uidOf, userUid } from './model.ts'

/** The cells of an entry by attribute: texts, ids of foreign keys, and lists of linked ids for links that it owns. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: number }
/** By the uid of the type, then by id. */
export type World = ReadonlyMap<string, ReadonlyMap<number, Row>>

/** The data of all types of the model, read without narrowing. */
export async function worldOf({ registry, store }: Octavo): Promise<World> {
  const types = [...names.map(uidOf), userUid, fileUid, editorUid, ...closedUids].flatMap(
    (uid) => registry.contentTypes.get(uid) ?? [],
  )
  const tables = types.map((type) => {
    const cells = [`'id', "r"."id"`]
    for (const attribute of type.attributes.values()) {
      if (attribute.name === 'updatedAt') continue
      if (attribute.kind === 'scalar') cells.push(`'${attribute.name}', "r"."${attribute.column}"::text`)
      // A text for each part, since a caller may be allowed to change some of their attributes.
      if (attribute.kind === 'component')
        cells.push(
          `'${attribute.name}', (select coalesce(json_agg("id" || ' ' || coalesce("label", '') order by "id"), '[]') from "${registry.component(attribute.component).table}" where "owner_type" = '${type.uid}' and "owner_id" = "r"."id" and "field" = '${attribute.name}')`,
        )
      if (attribute.kind !== 'relation') continue
      const { storage } = attribute
      if (storage.kind === 'own' || storage.kind === 'siblings')
        cells.push(`'${attribute.name}', "r"."${storage.column}"`)
      if (storage.kind === 'join' && storage.owner)
        cells.push(
          `'${attribute.name}', (select coalesce(json_agg("${storage.target}" order by "${storage.target}"), '[]') from "${storage.table}" where "${storage.own}" = "r"."id")`,
        )
      if (storage.kind === 'link' && attribute.part)
        cells.push(
          `'${attribute.name}', (select coalesce(json_agg("${storage.target}" order by "${storage.target}"), '[]') from "${storage.table}" where "owner_type" = '${type.uid}' and "owner_id" = "r"."id" and "field" = '${attribute.name}')`,
        )
    }
    for (const { name, table, column } of type.morphs.values())
      cells.push(
        `'${name}', (select coalesce(json_agg("owner_type" || ' ' || "owner_id" order by 1), '[]') from "${table}" where "${column}" = "r"."id")`,
      )
    return `'${type.uid}', (select coalesce(json_agg(json_build_object(${cells.join(', ')})), '[]') from "${type.table}" as "r")`
  })
  const [row] = await store.query(`select json_build_object(${tables.join(', ')})::text`)
  const read = JSON.parse(String(row?.[0])) as Readonly<Record<string, readonly Row[]>>
  return new Map(Object.entries(read).map(([uid, rows]) => [uid, new Map(rows.map((one) => [one.id, one]))]))
}
