/**
 * The merge of two changes of one entry, field by field: a field that one side has changed has its value, and components of lists are
 * matched by their ids. Where both sides have changed a field to different values, the result has mine, and the overlap has both.
 */
import { type Field, type FormModel, fieldsOf, schemaOf } from './model.ts'
import { mergeOrder } from './order.ts'
import { sameContent, sameField, sameFields } from './same.ts'
import {
  type ComponentValue,
  type Fields,
  type FieldValue,
  type GroupValue,
  identityOf,
  type Linked,
} from './value.ts'

/** A place where both sides have changed the same. */
export interface Overlap {
  /** The field, as a key of the merged form: `title`, `sections/page.text:12/text`. */
  readonly key: string
  /** The identity of a component that one side has changed and the other removed; absent for values and orders. */
  readonly component?: string
  readonly base: FieldValue | undefined
  readonly mine: FieldValue
  readonly theirs: FieldValue
}

/** Whether two overlaps are about the same. */
export const isSamePlace = (one: Overlap, other: Overlap): boolean =>
  one.key === other.key && one.component === other.component

export interface Merged {
  readonly value: GroupValue
  readonly overlaps: readonly Overlap[]
}

/** The key of a field in a group, or of a component in a list. */
export const childKey = (parent: string, name: string): string => (parent === '' ? name : `${parent}/${name}`)

interface Context {
  readonly model: FormModel
  readonly overlaps: Overlap[]
}

/**
 * @param base The entry that both sides began with.
 * @returns The keys of components are those of `mine`, so that a form keeps its nodes.
 */
export function mergeEntries(
  model: FormModel,
  base: GroupValue,
  mine: GroupValue,
  theirs: GroupValue,
): Merged {
  const context: Context = { model, overlaps: [] }
  const fields = mergeFields(context, mine.uid, base.fields, mine.fields, theirs.fields, '')
  return { value: { ...mine, id: theirs.id ?? mine.id, fields }, overlaps: context.overlaps }
}

function mergeFields(
  context: Context,
  uid: string,
  base: Fields,
  mine: Fields,
  theirs: Fields,
  parent: string,
): Fields {
  const merged: Record<string, FieldValue> = {}
  for (const field of fieldsOf(schemaOf(context.model, uid))) {
    const { name } = field
    const [own, other] = [mine[name], theirs[name]]
    // One side lacks a field after a change of the editor's rights.
    const value =
      own === undefined || other === undefined
        ? (own ?? other)
        : mergeField({ ...context, field, base: base[name], key: childKey(parent, name) }, own, other)
    if (value !== undefined) merged[name] = value
  }
  return merged
}

interface FieldContext extends Context {
  readonly field: Field
  /** `undefined` in a component that both sides have added. */
  readonly base: FieldValue | undefined
  readonly key: string
}

function mergeField(context: FieldContext, mine: FieldValue, theirs: FieldValue): FieldValue {
  const { field } = context
  if (
    field.shape.kind === 'relation' &&
    field.shape.many &&
    mine.kind === 'relation' &&
    theirs.kind === 'relation'
  )
    return mergeLinked(context, mine.items, theirs.items)
  if (mine.kind === 'components' && theirs.kind === 'components') {
    if (field.shape.kind === 'components' && field.shape.many)
      return mergeComponents(context, mine.items, theirs.items)
    const merged = mergeSingle(context, mine.items[0], theirs.items[0])
    if (merged) return { kind: 'components', items: [merged] }
  }
  return mergeWhole(context, mine, theirs)
}

/** A value that is one: a scalar, a link to one entry, or a component that a side has replaced. */
function mergeWhole({ base, key, overlaps }: FieldContext, mine: FieldValue, theirs: FieldValue): FieldValue {
  if (sameField(mine, theirs)) return mine.kind === 'scalar' ? mine : theirs
  if (base !== undefined && sameField(base, theirs)) return mine
  if (base !== undefined && sameField(base, mine)) return theirs
  // A secret never comes back.
  if (theirs.kind === 'scalar' && theirs.value === undefined) return mine
  overlaps.push({ key, base, mine, theirs })
  return mine
}

function mergeLinked(context: FieldContext, mine: readonly Linked[], theirs: readonly Linked[]): FieldValue {
  const before = context.base?.kind === 'relation' ? context.base.items : []
  const idsOf = (items: readonly Linked[]): readonly string[] => items.map(({ id }) => String(id))
  const { order, conflict } = mergeOrder(idsOf(before), idsOf(mine), idsOf(theirs))
  if (conflict) overlap(context, { kind: 'relation', items: mine }, { kind: 'relation', items: theirs })
  const entries = new Map([...mine, ...theirs].map((item) => [String(item.id), item]))
  return { kind: 'relation', items: order.flatMap((id) => entries.get(id) ?? []) }
}

const overlap = (
  { overlaps, key, base }: FieldContext,
  mine: FieldValue,
  theirs: FieldValue,
  component?: string,
): void => void overlaps.push({ key, base, mine, theirs, ...(component !== undefined && { component }) })

/** @returns `undefined` when the two are not one component. */
function mergeSingle(
  context: FieldContext,
  mine: ComponentValue | undefined,
  theirs: ComponentValue | undefined,
): ComponentValue | undefined {
  if (!mine || !theirs) return undefined
  const before = context.base?.kind === 'components' ? context.base.items[0] : undefined
  if (identityOf(mine) !== identityOf(theirs)) {
    // Both sides have put the same in one place, such as two tabs of one person.
    const bothNew = mine.id === undefined && theirs.id !== undefined && theirs.id !== before?.id
    return bothNew && sameContent(mine, theirs) ? { ...theirs, key: mine.key } : undefined
  }
  const stayed = before && identityOf(before) === identityOf(mine) ? before : undefined
  return mergeComponent(context, stayed, mine, theirs)
}

function mergeComponent(
  context: FieldContext,
  base: ComponentValue | undefined,
  mine: ComponentValue,
  theirs: ComponentValue,
): ComponentValue {
  const key = childKey(context.key, mine.key)
  const fields = mergeFields(context, mine.uid, base?.fields ?? {}, mine.fields, theirs.fields, key)
  return { ...theirs, key: mine.key, fields }
}

type Components = ReadonlyMap<string, ComponentValue>

const byIdentity = (items: readonly ComponentValue[]): Components =>
  new Map(items.map((item) => [identityOf(item), item]))

const isEdited = (base: ComponentValue, now: ComponentValue | undefined): boolean =>
  now !== undefined && !sameFields(base.fields, now.fields)

function mergeComponents(
  context: FieldContext,
  mine: readonly ComponentValue[],
  theirs: readonly ComponentValue[],
): FieldValue {
  const before = context.base?.kind === 'components' ? context.base.items : []
  const [inBase, inMine, inTheirs] = [byIdentity(before), byIdentity(mine), byIdentity(theirs)]
  const [own, other] = [
    { kind: 'components', items: mine },
    { kind: 'components', items: theirs },
  ] as const
  const keep = new Set<string>()
  for (const [id, item] of inBase) {
    const [a, b] = [inMine.get(id), inTheirs.get(id)]
    if (a && !b && isEdited(item, a)) keep.add(id)
    if (a ? !b && isEdited(item, a) : isEdited(item, b)) overlap(context, own, other, id)
  }
  const { order, conflict } = mergeOrder([...inBase.keys()], [...inMine.keys()], [...inTheirs.keys()], keep)
  if (conflict) overlap(context, own, other)
  const items = order.flatMap((id): readonly ComponentValue[] => {
    const [a, b] = [inMine.get(id), inTheirs.get(id)]
    const item = a && b ? mergeComponent(context, inBase.get(id), a, b) : (a ?? b)
    return item ? [item] : []
  })
  return { kind: 'components', items }
}
