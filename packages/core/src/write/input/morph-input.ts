import type { MorphAttribute, Registry } from '../../content-type/model.ts'
import { brief, isObject } from '../../kinds-of-values.ts'
import { InvalidRelation, readForm, readNumber } from './relation-input.ts'
import type { MorphItem, MorphWrite } from './write-plan.ts'

/**
 * Parses the value of a polymorphic relation in a body:
 *
 *     { "id": 7, "type": "api::article.article" }     → only this entry
 *     [{ … }, { … }], { "set": [{ … }] }              → only these
 *     null, []                                        → none
 *     { "connect": [{ … }], "disconnect": [{ … }] }   → a change of the existing links
 *
 * `type` is a uid or a singular name; `__type` is an alias of the key. `field` names the inverse attribute when there are several.
 * Source: docs/contract/writing.md#relations.
 *
 * @throws InvalidRelation
 */
export function readMorph(
  value: unknown,
  attribute: MorphAttribute,
  registry: Registry,
): MorphWrite['change'] {
  const forms = 'takes { "id", "type" }, a list of these, or { "connect", "disconnect", "set" }'
  const form = readForm(value, forms)
  const items = distinct(form.kind === 'set' ? form.items : form.connect, attribute, registry)
  if (!attribute.many && items.length > 1) throw new InvalidRelation(`takes one entry, not ${items.length}`)
  if (form.kind === 'set') return { kind: 'set', items }
  const keys = new Set(items.map(keyOf))
  const disconnect = distinct(form.disconnect, attribute, registry).filter((item) => !keys.has(keyOf(item)))
  return { kind: 'patch', connect: items, disconnect }
}

const keyOf = ({ type, id, field }: MorphItem): string => `${type} ${id} ${field}`

/** Removes duplicates. */
const distinct = (
  items: readonly unknown[],
  attribute: MorphAttribute,
  registry: Registry,
): readonly MorphItem[] => [
  ...new Map(
    items.map((item) => readItem(item, attribute, registry)).map((item) => [keyOf(item), item]),
  ).values(),
]

function readItem(item: unknown, { sides }: MorphAttribute, registry: Registry): MorphItem {
  const named = isObject(item) ? (item.type ?? item.__type) : undefined
  if (!isObject(item) || typeof named !== 'string')
    throw new InvalidRelation(
      `takes { "id", "type" }, where type is the uid or the singular name of a content-type, not ${brief(item)}`,
    )
  const type = uidOf(named, registry)
  const id = readNumber(item.id ?? undefined)
  const names = (sides.get(type) ?? []).map(({ name }) => name)
  const { field } = item
  if (field === undefined || field === null) {
    if (names.length > 1)
      throw new InvalidRelation(`takes in "field" which attribute of ${type} it is: ${names.join(' or ')}`)
    return { type, id, field: names[0] ?? '' }
  }
  if (typeof field === 'string' && (names.includes(field) || (field === '' && names.length === 0)))
    return { type, id, field }
  throw new InvalidRelation(
    `takes in "field" an attribute of ${type} that leads here (${names.join(', ') || 'there is none'}), not ${brief(field)}`,
  )
}

/** @throws InvalidRelation for an unknown name, or one of several content-types of different plugins. */
function uidOf(named: string, { contentTypes }: Registry): string {
  if (contentTypes.has(named)) return named
  const uids = [...contentTypes.values()].filter((type) => type.singularName === named).map(({ uid }) => uid)
  const [uid] = uids
  if (uid === undefined)
    throw new InvalidRelation(
      `takes the uid or the singular name of a content-type in "type"; there is no ${brief(named)}`,
    )
  if (uids.length > 1) throw new InvalidRelation(`takes a uid in "type" here: ${uids.join(' or ')}`)
  return uid
}
