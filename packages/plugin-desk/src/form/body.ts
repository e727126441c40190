/**
 * Makes the smallest body that makes the stored entry equal to the form. The body has changed attributes only. Components that stay have their
 * ids, so that the server changes them in place. Lists of linked entries change by `connect` and `disconnect`, so that entries that
 * the editor may not see remain linked. Source: docs/contract/writing.md.
 */
import { type Field, type FormModel, fieldsOf, schemaOf } from './model.ts'
import { longestRun } from './order.ts'
import { sameIds, sameJson } from './same.ts'
import type { ComponentValue, FieldValue, GroupValue, Linked } from './value.ts'

export type Body = Readonly<Record<string, unknown>>

/**
 * Whether the person may give a new entry or part a value at a path such as `seo.metaTitle`. Other values are sent only where they differ
 * from the default, which the server sets by itself and refuses from a person without the right.
 */
export type MayGive = (path: string) => boolean

/** A model, and the place in it of which a body is made. */
interface Place {
  readonly model: FormModel
  readonly mayGive: MayGive
  /** `''` for the entry. */
  readonly path: string
}

const below = (place: Place, name: string): Place => ({
  ...place,
  path: place.path === '' ? name : `${place.path}.${name}`,
})

const everything: MayGive = () => true

/** The body of a PUT; `undefined` when nothing has changed. */
export function updateBody(
  model: FormModel,
  base: GroupValue,
  mine: GroupValue,
  mayGive: MayGive = everything,
): Body | undefined {
  const body = changesOf({ model, mayGive, path: '' }, base, mine)
  return Object.keys(body).length > 0 ? body : undefined
}

/** The body of a POST: every value that is not empty, null where the definition has a default, and required lists. */
export const createBody = (model: FormModel, group: GroupValue, mayGive: MayGive = everything): Body =>
  newGroup({ model, mayGive, path: '' }, group)

function newGroup(place: Place, group: GroupValue): Body {
  const body: Record<string, unknown> = {}
  for (const field of fieldsOf(schemaOf(place.model, group.uid))) {
    const value = group.fields[field.name]
    const sent = value === undefined ? undefined : newValue(below(place, field.name), field, value)
    if (sent !== undefined) body[field.name] = sent
  }
  return body
}

function newValue(place: Place, { definition, shape }: Field, value: FieldValue): unknown {
  switch (value.kind) {
    case 'scalar': {
      const usual = definition.default ?? null
      const isUsual = sameJson(value.value, usual)
      return isUsual && (usual === null || !place.mayGive(place.path)) ? undefined : value.value
    }
    case 'relation': {
      const ids = value.items.map(({ id }) => id)
      if (ids.length === 0) return undefined
      return shape.kind === 'relation' && shape.many ? ids : ids[0]
    }
    case 'components': {
      if (shape.kind !== 'components') return undefined
      // A create that is repeated may have parts of a kind that is gone since.
      const known = value.items.filter(({ uid }) => place.model.components[uid])
      // A list that must be there may be empty.
      if (known.length === 0)
        return shape.many && definition.required === true && place.mayGive(place.path) ? [] : undefined
      const items = known.map((item) => newComponent(place, item, shape.zone))
      return shape.many ? items : items[0]
    }
  }
}

const newComponent = (place: Place, item: ComponentValue, zone: boolean): Body => ({
  ...(zone && { __component: item.uid }),
  ...newGroup(place, item),
})

function changesOf(place: Place, base: GroupValue, mine: GroupValue): Body {
  const body: Record<string, unknown> = {}
  for (const field of fieldsOf(schemaOf(place.model, mine.uid))) {
    const [before, after] = [base.fields[field.name], mine.fields[field.name]]
    if (before === undefined || after === undefined) continue
    const change = changeOf(below(place, field.name), field, before, after)
    if (change !== undefined) body[field.name] = change
  }
  return body
}

function changeOf(place: Place, field: Field, before: FieldValue, after: FieldValue): unknown {
  if (before.kind === 'scalar' && after.kind === 'scalar')
    return sameJson(before.value, after.value) ? undefined : after.value
  if (before.kind === 'relation' && after.kind === 'relation')
    return relationChange(field, before.items, after.items)
  if (before.kind === 'components' && after.kind === 'components')
    return componentsChange(place, field, before.items, after.items)
  return undefined
}

function relationChange({ shape }: Field, before: readonly Linked[], after: readonly Linked[]): unknown {
  if (sameIds(before, after)) return undefined
  if (shape.kind === 'relation' && !shape.many) return after[0]?.id ?? null
  const wanted = after.map(({ id }) => id)
  const remaining = new Set(wanted)
  const disconnect = before.flatMap(({ id }) => (remaining.has(id) ? [] : [id]))
  const connect = connections(
    before.map(({ id }) => id),
    wanted,
  )
  return { ...(connect.length > 0 && { connect }), ...(disconnect.length > 0 && { disconnect }) }
}

/** New and moved entries with their positions. As many entries as possible stay where they are. */
function connections(before: readonly number[], wanted: readonly number[]): readonly object[] {
  const place = new Map(before.map((id, i) => [id, i]))
  const staying = new Set(
    longestRun(
      wanted.filter((id) => place.has(id)),
      (id) => place.get(id) ?? 0,
    ),
  )
  const lastStaying = wanted.findLastIndex((id) => staying.has(id))
  return wanted.flatMap((id, i): readonly object[] => {
    if (staying.has(id)) return []
    // Behind all others an entry needs no position.
    if (i > lastStaying) return [{ id }]
    return [{ id, position: i === 0 ? { start: true } : { after: wanted[i - 1] } }]
  })
}

function componentsChange(
  place: Place,
  { shape }: Field,
  before: readonly ComponentValue[],
  after: readonly ComponentValue[],
): unknown {
  if (shape.kind !== 'components') return undefined
  const stored = new Map(before.map((item) => [`${item.uid}:${item.id}`, item]))
  let isChanged =
    before.length !== after.length ||
    before.some(({ uid, id }, i) => uid !== after[i]?.uid || id !== after[i]?.id)
  const items = after.map((item): Body => {
    const known = item.id === undefined ? undefined : stored.get(`${item.uid}:${item.id}`)
    // A component that the server no longer has is created again.
    if (!known) {
      isChanged = true
      return newComponent(place, item, shape.zone)
    }
    const changes = changesOf(place, known, item)
    if (Object.keys(changes).length > 0) isChanged = true
    return { ...(shape.zone && { __component: item.uid }), id: item.id, ...changes }
  })
  if (!isChanged) return undefined
  return shape.many ? items : (items[0] ?? null)
}
