import type { Octavo, Transaction } from '@octavo/core'
import { readEntries } from '@octavo/core/internal'
import type { Model } from '@octavo/core/plugin'
import { isEntryType, localeUid, permissionUid, roleUid } from '../model/uids.ts'
import type { Data } from '../records.ts'
import { canonicalRow } from './canonical.ts'
import { type SideFigures, Tally } from './tally.ts'

/** Rows of Octavo's own types that the source has; those that a start made are not compared. */
export interface OwnRows {
  readonly roles: ReadonlySet<number>
  /** Without any, those of the start stay. */
  readonly locales: boolean
}

/** Counts and checksums of the database, as an export reads it. */
export async function targetFigures(
  { registry }: Pick<Octavo, 'registry'>,
  tx: Transaction,
  own: OwnRows,
): Promise<ReadonlyMap<string, SideFigures>> {
  const tally = new Tally()
  for (const type of registry.contentTypes.values()) {
    for await (const batch of readEntries(tx, registry, type)) {
      for (const values of batch) {
        const id = Number(values.id)
        if (type.uid === roleUid) {
          if (own.roles.has(id)) tally.row(roleUid, `${id} ${values.name} ${values.description ?? ''}`)
        } else if (type.uid === permissionUid) {
          if (own.roles.has(Number(values.role))) tally.row(permissionUid, `${values.role} ${values.action}`)
        } else if (type.uid === localeUid) {
          if (own.locales) tally.row(localeUid, `${id} ${values.code} ${values.name}`)
        } else if (isEntryType(type.uid)) {
          tally.row(type.uid, canonicalRow(type, id, values, registry))
          links(type, id, values)
        }
      }
    }
  }
  return tally.figures()

  function links(model: Model, id: number, values: Data): void {
    for (const attribute of model.attributes.values()) {
      const value = values[attribute.name]
      if (value === null || value === undefined || attribute.kind === 'scalar') continue
      const items = (Array.isArray(value) ? value : [value]) as readonly unknown[]
      if (attribute.kind === 'relation') {
        const ordered = attribute.storage.kind !== 'siblings'
        for (const [i, target] of items.entries())
          tally.link(model.uid, attribute.name, id, ordered ? i + 1 : 0, Number(target))
        continue
      }
      for (const item of items as readonly Data[]) {
        const uid = attribute.kind === 'component' ? attribute.component : String(item.__component)
        links(registry.component(uid), Number(item.id), item)
      }
    }
    for (const { name } of model.morphs.values()) {
      const items = [values[name] ?? []].flat() as unknown as readonly Data[] // readEntries gives objects
      for (const [i, item] of items.entries())
        tally.link(model.uid, name, id, i + 1, `${item.type} ${item.id}`)
    }
  }
}
