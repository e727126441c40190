import { isDeepStrictEqual } from 'node:util'
import { InvalidValue } from '../../content-type/attribute-type.ts'
import type { RelationAttribute } from '../../content-type/model.ts'
import { isId } from '../../id.ts'
import { brief, isObject } from '../../kinds-of-values.ts'
import type { Connection, ListPosition, RelationChange } from './write-plan.ts'

/** Thrown for an invalid relation; the message names the valid forms. */
export class InvalidRelation extends InvalidValue {}

/**
 * Parses the value of a relation in a body:
 *
 *     7, "7", { "id": 7 }                  → only 7
 *     [7, { "id": 8 }], { "set": [7, 8] }  → only these, in this order
 *     null, []                             → none
 *     { "connect": [9], "disconnect": [7] } → a change of the existing list
 *     { "connect": [{ "id": 9, "position": { "before": 8 } }] }
 *     {}, { "set": null }, or { "data": … } as in an answer → no change
 *
 * Duplicate ids count once; one id with two positions is refused. Other keys of an item are ignored, `type` among them: the definition has the target.
 * Source: docs/contract/writing.md#relations.
 *
 * @throws InvalidRelation
 */
export function readRelation(value: unknown, attribute: RelationAttribute): RelationChange {
  const change = readChange(value)
  const count = change.kind === 'set' ? change.ids.length : change.connect.length
  if (!attribute.many && count > 1) throw new InvalidRelation(`takes one ${attribute.target}, not ${count}`)
  return change
}

function readChange(value: unknown): RelationChange {
  const forms = 'takes an id, { "id" }, a list of these, or { "connect", "disconnect", "set" }'
  const form = readForm(value, forms)
  if (form.kind === 'set') return { kind: 'set', ids: [...new Set(form.items.map(readItem))] }
  const connected = new Map<number, Connection>()
  for (const item of form.connect) {
    const id = readItem(item)
    const position = readPosition(item)
    const earlier = connected.get(id)?.position
    if (earlier && !isDeepStrictEqual(earlier, position))
      throw new InvalidRelation(`connects ${id} with two positions; it can have one`)
    connected.set(id, { id, position })
  }
  return {
    kind: 'patch',
    connect: [...connected.values()],
    disconnect: form.disconnect.map(readItem).filter((id) => !connected.has(id)),
    strict: !(isObject(form.options) && form.options.strict === false),
  }
}

/** The items of a value, in one of its forms. */
type RelationForm =
  | { readonly kind: 'set'; readonly items: readonly unknown[] }
  | {
      readonly kind: 'patch'
      readonly connect: readonly unknown[]
      readonly disconnect: readonly unknown[]
      readonly options: unknown
    }

/** @throws InvalidRelation with the forms that there are. */
export function readForm(value: unknown, forms: string): RelationForm {
  if (!isObject(value) || 'id' in value) return { kind: 'set', items: asList(value) }
  const { connect, disconnect, set, options } = value
  if (set !== undefined && set !== null) return { kind: 'set', items: asList(set) }
  const isKnown = connect !== undefined || disconnect !== undefined || set === null
  if (!isKnown && Object.keys(value).some((key) => key !== 'data')) throw new InvalidRelation(forms)
  return { kind: 'patch', connect: asList(connect), disconnect: asList(disconnect), options }
}

const asList = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

const readItem = (value: unknown): number => readNumber(isObject(value) ? (value.id ?? undefined) : value)

/** @throws InvalidRelation */
export function readNumber(value: unknown): number {
  const id = idOf(value)
  if (id !== undefined) return id
  throw new InvalidRelation(`takes ids that are whole numbers, not ${brief(value)}`)
}

/** An id, as a number or its digits; 0 for a whole number beyond the range of ids, which no row has; `undefined` for another value. */
export function idOf(value: unknown): number | undefined {
  const id = wholeNumber(value)
  return id === undefined || isId(id) ? id : 0
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

function readPosition(item: unknown): ListPosition {
  const position = isObject(item) ? item.position : undefined
  if (position === undefined || position === null) return { kind: 'end' }
  if (isObject(position)) {
    const { before, after, start, end } = position
    if (before !== undefined) return { kind: 'before', id: neighbour(before) }
    if (after !== undefined) return { kind: 'after', id: neighbour(after) }
    if (start === true) return { kind: 'start' }
    if (end === true) return { kind: 'end' }
  }
  throw new InvalidRelation(
    'takes a position { "before": id }, { "after": id }, { "start": true } or { "end": true }',
  )
}

function neighbour(value: unknown): number {
  const id = wholeNumber(value)
  if (id !== undefined) return id
  throw new InvalidRelation(`takes a position beside an id, not ${brief(value)}`)
}
