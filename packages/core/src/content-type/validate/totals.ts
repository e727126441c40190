import type { Draft } from '../draft/drafts.ts'
import { isGiven } from '../draft/given.ts'
import { show } from '../draft/names.ts'
import type { Attribute } from '../model.ts'

const ways = ['kept', 'counted']
const divisions = ['value', 'presence']

/** Reports mistakes in `options.totals`, and in `countedBy` of attributes. */
export function checkTotals(draft: Draft, attributes: ReadonlyMap<string, Attribute>): void {
  const given: unknown = draft.definition.options?.totals
  if (isGiven(given) && !ways.includes(String(given)))
    draft.report(['options', 'totals'], `must be "kept" or "counted", not ${show(given)}`)
  for (const [name, attribute] of attributes) {
    const by: unknown = attribute.definition.countedBy
    if (!isGiven(by)) continue
    const path = ['attributes', name, 'countedBy']
    if (!divisions.includes(String(by))) draft.report(path, `must be "value" or "presence", not ${show(by)}`)
    else if (attribute.kind !== 'scalar')
      draft.report(path, 'is of attributes with a column of their own, not of relations and components')
    else if (by === 'value' && attribute.type.parameter !== 'text')
      draft.report(path, `can be "value" for texts and enumerations, not for ${show(attribute.type.name)}`)
  }
}
