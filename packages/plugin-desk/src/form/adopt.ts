/** Components that were new in a request, in what the server has stored: there they have ids. */
import { asStored, sameContent, sameIds } from './same.ts'
import { type ComponentValue, type Fields, type FieldValue, type GroupValue, itemsOf } from './value.ts'

/** Ids by the path of keys of a component: `/sections/+k1/links/+k2`. */
type Ids = ReadonlyMap<string, number>

type Items = readonly ComponentValue[]

const isSame = (one: ComponentValue, other: ComponentValue): boolean =>
  one.uid === other.uid && one.id !== undefined && one.id === other.id

/**
 * Gives the components of the answer to a save the keys that they had in the request. The lists of the two correspond, so that new
 * components are found by their order.
 */
export const withSentKeys = (answer: GroupValue, sent: GroupValue): GroupValue =>
  withKeys(answer, sent, (item, i, items, twins) => {
    const corresponds = items.length === twins.length && items.every(({ uid }, n) => uid === twins[n]?.uid)
    return corresponds ? twins[i] : twins.find((twin) => isSame(twin, item))
  })

/** Gives stored components the keys that they have in a form, where they are found by their ids. */
export const withKeysOf = (stored: GroupValue, form: GroupValue): GroupValue =>
  withKeys(stored, form, (item, _i, _items, twins) => twins.find((twin) => isSame(twin, item)))

type FindTwin = (item: ComponentValue, i: number, items: Items, twins: Items) => ComponentValue | undefined

const withKeys = (group: GroupValue, other: GroupValue, find: FindTwin): GroupValue => ({
  ...group,
  fields: keyedFields(group.fields, other.fields, find),
})

const keyedFields = (fields: Fields, others: Fields, find: FindTwin): Fields =>
  mapComponents(fields, (name, items) => {
    const twins = itemsOf(others[name])
    return items.map((item, i) => {
      const twin = find(item, i, items, twins)
      return twin ? { ...item, key: twin.key, fields: keyedFields(item.fields, twin.fields, find) } : item
    })
  })

/** The ids of all components. */
export function idsIn(group: GroupValue): Ids {
  const ids = new Map<string, number>()
  const visit = (fields: Fields, at: string): void => {
    for (const [name, field] of Object.entries(fields))
      for (const item of itemsOf(field)) {
        const here = `${at}/${name}/${item.key}`
        if (item.id !== undefined) ids.set(here, item.id)
        visit(item.fields, here)
      }
  }
  visit(group.fields, '')
  return ids
}

/**
 * The ids that the server has given to new components of a request whose answer was lost, in case the request has been carried out. They
 * are found by their content.
 *
 * @param sent The value of that request.
 * @param theirs The entry as it is stored now.
 */
function adoptedIds(base: GroupValue, sent: GroupValue, theirs: GroupValue): Ids {
  const ids = new Map<string, number>()
  findIds(base.fields, sent.fields, theirs.fields, '', ids)
  return ids
}

function findIds(base: Fields, sent: Fields, theirs: Fields, at: string, ids: Map<string, number>): void {
  for (const [name, field] of Object.entries(sent)) {
    const [before, stored] = [itemsOf(base[name]), itemsOf(theirs[name])]
    const free = stored.filter((item) => !before.some((old) => isSame(old, item)))
    for (const item of itemsOf(field)) {
      const here = `${at}/${name}/${item.key}`
      const old = before.find((one) => isSame(one, item))
      if (old) {
        const twin = stored.find((one) => isSame(one, item))
        if (twin) findIds(old.fields, item.fields, twin.fields, here, ids)
        continue
      }
      const [twin] = free.splice(indexOfContent(free, item), 1)
      if (twin?.id === undefined) continue
      ids.set(here, twin.id)
      findIds({}, item.fields, twin.fields, here, ids)
    }
  }
}

/** @returns the length when there is none */
function indexOfContent(items: Items, wanted: ComponentValue): number {
  const index = items.findIndex((item) => sameContent(wanted, item))
  return index < 0 ? items.length : index
}

/** The value with these ids at their components. */
export const withIds = (group: GroupValue, ids: Ids): GroupValue =>
  ids.size === 0 ? group : { ...group, fields: fieldsWithIds(group.fields, '', ids) }

const fieldsWithIds = (fields: Fields, at: string, ids: Ids): Fields =>
  mapComponents(fields, (name, items) =>
    items.map((item) => {
      const here = `${at}/${name}/${item.key}`
      return { ...item, id: ids.get(here) ?? item.id, fields: fieldsWithIds(item.fields, here, ids) }
    }),
  )

interface Sides {
  readonly base: GroupValue
  readonly mine: GroupValue
}

/**
 * A form's value and base after requests whose answers were lost. New components get the ids that the server has given them. A value that was
 * sent and is now stored is no change of somebody else.
 *
 * @param pending The values that were sent, the oldest first.
 * @param theirs The entry as it is stored now.
 */
export function withOutcomes(sides: Sides, pending: readonly GroupValue[], theirs: GroupValue): Sides {
  let { base, mine } = sides
  for (const sent of pending) {
    const ids = adoptedIds(base, sent, theirs)
    mine = withIds(mine, ids)
    base = { ...base, fields: fieldsWithOutcome(base.fields, withIds(sent, ids).fields, theirs.fields) }
  }
  return { base, mine }
}

function fieldsWithOutcome(base: Fields, sent: Fields, theirs: Fields): Fields {
  return Object.fromEntries(
    Object.entries(base).map(([name, before]): [string, FieldValue] => {
      const [own, stored] = [sent[name], theirs[name]]
      return [name, own && stored ? fieldWithOutcome(before, own, stored) : before]
    }),
  )
}

function fieldWithOutcome(before: FieldValue, own: FieldValue, stored: FieldValue): FieldValue {
  if (own.kind === 'scalar' && stored.kind === 'scalar')
    return asStored(own.value, stored.value) && stored.value !== undefined ? stored : before
  if (own.kind === 'relation' && stored.kind === 'relation')
    return sameIds(own.items, stored.items) ? stored : before
  if (before.kind !== 'components' || own.kind !== 'components' || stored.kind !== 'components') return before
  const same =
    own.items.length === stored.items.length &&
    own.items.every((item, i) => isSame(item, stored.items[i] ?? item))
  const items = same ? stored.items : before.items
  return {
    kind: 'components',
    items: items.map((item) => {
      const [old, sent, now] = [before.items, own.items, stored.items].map((list) =>
        list.find((one) => isSame(one, item)),
      )
      return old && sent && now
        ? { ...old, fields: fieldsWithOutcome(old.fields, sent.fields, now.fields) }
        : item
    }),
  }
}

const mapComponents = (fields: Fields, map: (name: string, items: Items) => Items): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.kind === 'components' ? { ...field, items: map(name, field.items) } : field,
    ]),
  )
