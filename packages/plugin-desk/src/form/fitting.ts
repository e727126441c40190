/** The parts of a local copy that a form can take, and those that it has no place for. */
import type { MayGive } from './body.ts'
import type { Overlap } from './merge.ts'
import { type AttributeDefinition, type Field, type FieldShape, type FormModel, fieldsOf } from './model.ts'
import type { FormNode } from './nodes.ts'
import { sameField, sameFields } from './same.ts'
import {
  type ComponentValue,
  emptyGroup,
  type Fields,
  type FieldValue,
  type GroupValue,
  identityOf,
  itemsOf,
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

/** @param present The group as it was loaded; `undefined` for a part that is not in the loaded entry. */
function divided<G extends GroupValue>(
  place: Place,
  base: GroupValue | undefined,
  mine: G,
  present: GroupValue | undefined,
): Divided<G> {
  const { model, path } = place
  const schema = model.contentTypes[mine.uid] ?? model.components[mine.uid]
  const known = new Map((schema ? fieldsOf(schema) : []).map((one) => [one.name, one]))
  const usual = schema ? emptyGroup(model, mine.uid).fields : {}
  const fits: Record<string, FieldValue> = {}
  const before: Record<string, FieldValue> = {}
  const after: Record<string, FieldValue> = {}
  for (const [name, value] of Object.entries(mine.fields)) {
    const old = base?.fields[name] ?? usual[name] ?? nothingOf(value)
    const here = { ...place, path: path === '' ? name : `${path}.${name}` }
    const isThere = present === undefined || present.fields[name] !== undefined
    const field = isThere ? known.get(name) : undefined
    const part = dividedField(here, field, old, value, itemsOf(present?.fields[name]))
    if (part.fits) fits[name] = part.fits
    if (!part.left) continue
    before[name] = part.left.before
    after[name] = part.left.after
  }
  return {
    fits: { ...mine, fields: fits },
    left:
      Object.keys(after).length === 0
        ? undefined
        : { base: { ...mine, fields: before }, mine: { ...mine, fields: after } },
  }
}

interface DividedField {
  readonly fits?: FieldValue
  readonly left?: { readonly before: FieldValue; readonly after: FieldValue } | undefined
}

/** @param field `undefined` where the form has no place for the value. @param present The parts of the loaded entry. */
function dividedField(
  place: Place,
  field: Field | undefined,
  before: FieldValue,
  after: FieldValue,
  present: readonly ComponentValue[],
): DividedField {
  const isChanged = !sameField(before, after)
  if (
    !field ||
    !isShownBy(field.shape.kind, field.definition, after) ||
    (isChanged && !place.mayWrite(place.path))
  )
    return isChanged ? { left: { before, after } } : {}
  if (after.kind !== 'components' || field.shape.kind !== 'components') return { fits: after }
  const { uids } = field.shape
  const fits: ComponentValue[] = []
  const left: ComponentValue[] = []
  const leftOf: ComponentValue[] = []
  for (const item of after.items) {
    const old = twinOf(item, itemsOf(before))
    if (uids.includes(item.uid) && place.model.components[item.uid]) {
      const part = divided(place, old, item, twinOf(item, present))
      fits.push(part.fits)
      if (part.left) left.push(part.left.mine)
      if (part.left && old) leftOf.push(part.left.base)
    } else if (!old || !sameFields(old.fields, item.fields)) {
      left.push(item)
      if (old) leftOf.push(old)
    }
  }
  const parts = (items: readonly ComponentValue[]): FieldValue => ({ kind: 'components', items })
  return {
    fits: parts(fits),
    left: left.length === 0 ? undefined : { before: parts(leftOf), after: parts(left) },
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number' || isText(value)
const begins = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)

/** The values that the inputs of types show, apart from none. Inputs of numbers keep what is typed; those of other types show every value, as JSON. */
const shown: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: isText,
  text: isText,
  richtext: isText,
  email: isText,
  password: isText,
  uid: isText,
  enumeration: isText,
  integer: isNumber,
  biginteger: isNumber,
  float: isNumber,
  decimal: isNumber,
  boolean: (value) => typeof value === 'boolean',
  blocks: Array.isArray,
  date: begins(/^\d{4}-\d\d-\d\d/),
  time: begins(/^\d\d:\d\d/),
  datetime: begins(/^\d{4}-\d\d-\d\d/),
}

/** Whether the form shows a value in a field. It does not where the field has another shape, or a type that has nothing in common with the former one. */
function isShownBy(kind: FieldShape['kind'], { type }: AttributeDefinition, value: FieldValue): boolean {
  if (value.kind !== 'scalar' || kind !== 'scalar') return value.kind === kind
  const shows = shown[type]
  const isNone = value.value === null || value.value === undefined
  return !shows || (value.unfinished === undefined && (isNone || shows(value.value)))
}

const twinOf = (item: ComponentValue, items: readonly ComponentValue[]): ComponentValue | undefined =>
  items.find((one) => identityOf(one) === identityOf(item))

const nothingOf = (value: FieldValue): FieldValue =>
  value.kind === 'scalar' ? { kind: 'scalar', value: null } : { kind: value.kind, items: [] }

/**
 * An overlap of a local copy, without the parts that the field has no place for. `undefined` where nothing remains to be chosen: the field
 * is gone or has another shape, the part in question is of a kind that is gone, or both sides are the same without such parts.
 *
 * @param node The field in the form; `undefined` where it is gone.
 */
export function fittingOverlap(node: FormNode | undefined, overlap: Overlap): Overlap | undefined {
  const { mine, theirs, base, component } = overlap
  if (!node || node.kind === 'group') return undefined
  if (![mine, theirs].every((side) => isShownBy(node.kind, node.definition, side))) return undefined
  if (node.kind !== 'components') return overlap
  const placed = (value: FieldValue): FieldValue => ({
    kind: 'components',
    items: itemsOf(value).filter(({ uid }) => node.shape.uids.includes(uid)),
  })
  const fits = { ...overlap, base: base && placed(base), mine: placed(mine), theirs: placed(theirs) }
  const isThere =
    component === undefined
      ? !sameField(fits.mine, fits.theirs)
      : [fits.mine, fits.theirs].some((side) => itemsOf(side).some((one) => identityOf(one) === component))
  return isThere ? fits : undefined
}

/** The fields of changes that have no place at all, as of an entry whose content-type the person may not see. */
export const changedFields = ({ base, mine }: Changes): Fields =>
  fitting({ contentTypes: {}, components: {} }, { base, mine }, undefined, () => true).left?.mine.fields ?? {}
