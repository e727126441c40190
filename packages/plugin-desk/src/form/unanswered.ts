/** Fields of a form that an answer lacks: since the page was loaded, the person has lost the right to read them, or the content-type has lost them. */
import { childKey } from './merge.ts'
import type { FormModel } from './model.ts'
import { type ComponentValue, emptyGroup, type Fields, type FieldValue, type GroupValue } from './value.ts'

export interface Answered {
  /** The answer, with the former values of the fields that it lacks, so that changes of them are still counted. */
  readonly base: GroupValue
  /** The keys of these fields. */
  readonly lacking: readonly string[]
}

/** @param former The base of the form before the answer. @param mine The value of the form after it. */
export function withUnanswered(
  model: FormModel,
  answer: GroupValue,
  former: GroupValue,
  mine: GroupValue,
): Answered {
  const lacking: string[] = []
  const group = <G extends GroupValue>(stored: G, own: GroupValue, before: Fields, at: string): G => {
    const added: Record<string, FieldValue> = {}
    for (const [name, value] of Object.entries(own.fields)) {
      const key = childKey(at, name)
      const found = stored.fields[name]
      if (found === undefined) {
        lacking.push(key)
        added[name] = before[name] ?? emptyGroup(model, own.uid).fields[name] ?? value
      } else if (found.kind === 'components') {
        const items = found.items.map((item) => ofItem(item, itemsOf(value), itemsOf(before[name]), key))
        if (items.some((item, i) => item !== found.items[i])) added[name] = { ...found, items }
      }
    }
    return Object.keys(added).length === 0 ? stored : { ...stored, fields: { ...stored.fields, ...added } }
  }
  const ofItem = (item: ComponentValue, own: Items, before: Items, at: string): ComponentValue => {
    const twin = own.find(({ key }) => key === item.key)
    const old = before.find(({ uid, id }) => uid === item.uid && id === item.id)
    return twin ? group(item, twin, old?.fields ?? {}, childKey(at, item.key)) : item
  }
  return { base: group(answer, mine, former.fields, ''), lacking }
}

type Items = readonly ComponentValue[]

const itemsOf = (field: FieldValue | undefined): Items => (field?.kind === 'components' ? field.items : [])
