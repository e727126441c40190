/** The parts of a local copy that a form can take, and those that it has no place for. */
import type { MayGive } from './body.ts'
import { type Field, type FormModel, fieldsOf, schemaOf } from './model.ts'
import { sameField } from './same.ts'
import {
  type ComponentValue,
  emptyGroup,
  type Fields,
  type FieldValue,
  type GroupValue,
  identityOf,
} from './value.ts'

/** Changes of an entry: what it was, and what a person has made of it. */
export interface Changes {
  readonly base: GroupValue
  readonly mine: GroupValue
}

export interface Fitted {
  readonly fits: Changes
  /** Fields that are changed and have no place in the form, with the parts that they are in; `undefined` without one. */
  readonly left: Changes | undefined
}

interface Place {
  readonly model: FormModel
  readonly mayWrite: MayGive
  readonly path: string
}

/**
 * Divides changes. A field has a place where the model has it, the loaded entry does, and the person may write it.
 *
 * @param present The entry as it was loaded; `undefined` where there is none: then all that is changed is left.
 */
export function fitting(
  model: FormModel,
  { base, mine }: Changes,
  present: GroupValue | undefined,
  mayWrite: MayGive,
): Fitted {
  const nothing = { ...mine, fields: {} }
  const { fits, left } = divided({ model, mayWrite, path: '' }, base, mine, present ?? nothing)
  return { fits: { base, mine: fits }, left }
}

interface Divided<G extends GroupValue = GroupValue> {
  readonly fits: G
  readonly left: { readonly base: G; readonly mine: G } | undefined
}

function divided<G extends GroupValue>(
  place: Place,
  base: GroupValue | undefined,
  mine: G,
  present: GroupValue | undefined,
): Divided<G> {
  const { model } = place
  const isKnown = (model.contentTypes[mine.uid] ?? model.components[mine.uid]) !== undefined
  const known = new Map((isKnown ? fieldsOf(schemaOf(model, mine.uid)) : []).map((one) => [one.name, one]))
  const usual = isKnown ? emptyGroup(model, mine.uid).fields : {}
  const fits: Record<string, FieldValue> = {}
  const [before, after]: Record<string, FieldValue>[] = [{}, {}]
  for (const [name, value] of Object.entries(mine.fields)) {
    const old = base?.fields[name]
    const now = present?.fields[name]
    const at = { ...place, path: place.path === '' ? name : `${place.path}.${name}` }
    const part = fieldOf(at, known.get(name), {
      value,
      old: old ?? usual[name],
      now,
      isNew: present === undefined,
    })
    if (part.fits) fits[name] = part.fits
    if (!part.left || !before || !after) continue
    after[name] = part.left
    before[name] = part.leftOf ?? old ?? usual[name] ?? nothingOf(part.left)
  }
  const hasLeft = after !== undefined && before !== undefined && Object.keys(after).length > 0
  return {
    fits: { ...mine, fields: fits },
    left: hasLeft ? { base: { ...mine, fields: before }, mine: { ...mine, fields: after } } : undefined,
  }
}

interface Sides {
  readonly value: FieldValue
  readonly old: FieldValue | undefined
  readonly now: FieldValue | undefined
  /** Whether the field is in a part that the loaded entry does not have. */
  readonly isNew: boolean
}

interface DividedField {
  readonly fits?: FieldValue
  readonly left?: FieldValue
  /** What the left value was before. */
  readonly leftOf?: FieldValue
}

function fieldOf(place: Place, field: Field | undefined, { value, old, now, isNew }: Sides): DividedField {
  const isChanged = !sameField(old ?? nothingOf(value), value)
  const hasPlace = field !== undefined && field.shape.kind === value.kind && (isNew || now !== undefined)
  if (!hasPlace || (isChanged && !place.mayWrite(place.path))) return isChanged ? { left: value } : {}
  if (value.kind !== 'components' || field.shape.kind !== 'components') return { fits: value }
  const { uids } = field.shape
  const [before, present] = [itemsOf(old), itemsOf(now)]
  const fits: ComponentValue[] = []
  const [left, leftOf]: ComponentValue[][] = [[], []]
  for (const item of value.items) {
    const twin = before.find((one) => identityOf(one) === identityOf(item))
    if (!uids.includes(item.uid) || !place.model.components[item.uid]) {
      if (twin && sameField({ ...value, items: [twin] }, { ...value, items: [item] })) continue
      left?.push(item)
      if (twin) leftOf?.push(twin)
      continue
    }
    const part = divided(
      place,
      twin,
      item,
      present.find((one) => identityOf(one) === identityOf(item)),
    )
    fits.push(part.fits)
    if (!part.left) continue
    left?.push(part.left.mine)
    leftOf?.push(part.left.base)
  }
  return {
    fits: { ...value, items: fits },
    ...(left &&
      leftOf &&
      left.length > 0 && { left: { ...value, items: left }, leftOf: { ...value, items: leftOf } }),
  }
}

const itemsOf = (field: FieldValue | undefined): readonly ComponentValue[] =>
  field?.kind === 'components' ? field.items : []

const nothingOf = (value: FieldValue): FieldValue =>
  value.kind === 'scalar' ? { kind: 'scalar', value: null } : { kind: value.kind, items: [] }

/** The fields of changes that have no place at all, as of an entry whose content-type the person may not see. */
export const changedFields = ({ base, mine }: Changes): Fields =>
  fitting({ contentTypes: {}, components: {} }, { base, mine }, undefined, () => true).left?.mine.fields ?? {}
