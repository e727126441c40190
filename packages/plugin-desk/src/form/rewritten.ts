/**
 * Parts that all languages of an entry share. A change of them in one language writes them anew in the others, where they get other ids: by their ids
 * alone, each of them would be removed, and another one added.
 */
import { withIds, withOutcomes } from './adopt.ts'
import { type FormModel, isShared, schemaOf } from './model.ts'
import { sameContent, sameField } from './same.ts'
import { type ComponentValue, type Fields, type GroupValue, itemsOf } from './value.ts'

interface Sides {
  readonly base: GroupValue
  readonly mine: GroupValue
}

/**
 * A form's value and base beside the entry as it is stored now: with the outcomes of requests whose answers were lost, and with the present ids of
 * shared parts.
 *
 * @param pending The values that were sent, the oldest first.
 * @param theirs The entry as it is stored now.
 */
export function besideTheirs(
  model: FormModel,
  sides: Sides,
  pending: readonly GroupValue[],
  theirs: GroupValue,
): Sides {
  const { base, mine } = withOutcomes(sides, pending, theirs)
  const schema = schemaOf(model, theirs.uid)
  const shared = Object.fromEntries(
    Object.entries(base.fields).filter(([name]) => isShared(schema, schema.attributes[name])),
  )
  const ids = new Map<string, number>()
  findIds(shared, theirs.fields, '', ids)
  return { base: withIds(base, ids), mine: withIds(mine, ids) }
}

/** Adds the ids of rewritten parts, by the path of keys of each. */
function findIds(base: Fields, theirs: Fields, at: string, ids: Map<string, number>): void {
  for (const [name, field] of Object.entries(base)) {
    const [before, now] = [itemsOf(field), itemsOf(theirs[name])]
    // A list of which some parts have stayed was changed in this language.
    if (before.some((item) => now.some(({ uid, id }) => uid === item.uid && id === item.id))) continue
    for (const [item, twin] of twinsOf(before, now)) {
      const here = `${at}/${name}/${item.key}`
      if (twin.id !== undefined) ids.set(here, twin.id)
      findIds(item.fields, twin.fields, here, ids)
    }
  }
}

type Items = readonly ComponentValue[]

/**
 * Parts with the parts that were written in their places: those with equal content, then those with the most fields in common. In a list that is as long as before,
 * a part without common fields counts as the part that was in its place.
 */
function twinsOf(before: Items, now: Items): ReadonlyMap<ComponentValue, ComponentValue> {
  const twins = new Map<ComponentValue, ComponentValue>()
  const free = [...now]
  const pair = (item: ComponentValue, index: number): void => {
    const [twin] = index < 0 ? [] : free.splice(index, 1)
    if (twin) twins.set(item, twin)
  }
  for (const item of before)
    pair(
      item,
      free.findIndex((other) => sameContent(item, other)),
    )
  for (const [i, item] of before.entries()) {
    if (twins.has(item)) continue
    const inPlace = before.length === now.length ? now[i] : undefined
    const alike = free.map((other) => {
      if (other.uid !== item.uid) return 0
      return fieldsInCommon(item, other) + (other === inPlace ? 0.5 : 0)
    })
    const most = Math.max(...alike)
    if (most > 0) pair(item, alike.indexOf(most))
  }
  return twins
}

const fieldsInCommon = (one: ComponentValue, other: ComponentValue): number =>
  Object.entries(one.fields).filter(([name, field]) => {
    const isEmpty = field.kind === 'scalar' ? (field.value ?? '') === '' : field.items.length === 0
    return !isEmpty && sameField(field, other.fields[name])
  }).length
