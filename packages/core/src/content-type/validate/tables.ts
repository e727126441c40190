import type { Draft } from '../draft/drafts.ts'
import type { Attribute, MorphAttribute } from '../model.ts'

/** Reports duplicate names of models' tables, join tables and link tables, case-insensitively. */
export function checkTables(
  models: ReadonlyMap<Draft, ReadonlyMap<string, Attribute>>,
  morphs: ReadonlyMap<Draft, ReadonlyMap<string, MorphAttribute>>,
): void {
  const owners = new Map<string, string>()
  for (const draft of models.keys()) {
    const owner = owners.get(draft.table.toLowerCase())
    if (owner === undefined) owners.set(draft.table.toLowerCase(), draft.uid)
    else draft.report(['collectionName'], `the table "${draft.table}" is taken by ${owner}`)
  }
  for (const [draft, attributes] of models) {
    for (const { name, table, label } of [
      ...linkTables(draft, attributes),
      ...morphTables(draft, morphs.get(draft) ?? new Map()),
    ]) {
      const owner = owners.get(table.toLowerCase())
      if (owner === undefined) owners.set(table.toLowerCase(), label)
      else if (owner !== label)
        draft.report(['attributes', name], `its table "${table}" is taken by ${owner}`)
    }
  }
}

function* linkTables(draft: Draft, attributes: ReadonlyMap<string, Attribute>) {
  for (const attribute of attributes.values()) {
    if (attribute.kind !== 'relation') continue
    const { name, storage, target, typeName } = attribute
    if (storage.kind === 'join' && storage.owner)
      yield { name, table: storage.table, label: `${draft.uid}.${name}` }
    // All attributes of the type share one table.
    if (storage.kind === 'link')
      yield { name, table: storage.table, label: `the links of type ${typeName} to ${target}` }
  }
}

/** The inverse attributes share the table and its label. */
function* morphTables(draft: Draft, morphs: ReadonlyMap<string, MorphAttribute>) {
  for (const { name, table } of morphs.values())
    yield { name, table, label: `the links of type relation to ${draft.uid}` }
}
