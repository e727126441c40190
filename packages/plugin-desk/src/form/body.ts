/**
 * The smallest body that makes the stored entry equal to the form. It has changed attributes only; components that stay are named by their
 * ids, so that the server changes them in place; lists of linked entries are changed by `connect` and `disconnect`, so that entries that
 * the editor may not see remain linked. Source: docs/contract/writing.md.
 */
import { type Field, type FormModel, fieldsOf, schemaOf } from './model.ts'
import { longestRun } from './order.ts'
import { sameIds, sameJson } from './same.ts'
import type { ComponentValue, FieldValue, GroupValue, Linked } from './value.ts'

export type Body = Readonly<Record<string, unknown>>

/** The body of a PUT; `undefined` when nothing has changed. */
export function updateBody(model: FormModel, base: GroupValue, mine: GroupValue): Body | undefined {
  const body = changesOf(model, base, mine)
  return Object.keys(body).length > 0 ? body : undefined
}

/** The body of a POST: every value that is not empty, and null where the definition has a default. */
export function createBody(model: FormModel, group: GroupValue): Body {
  const body: Record<string, unknown> = {}
  for (const field of fieldsOf(schemaOf(model, group.uid))) {
    const value = group.fields[field.name]
    const sent = value === undefined ? undefined : newValue(model, field, value)
    if (sent !== undefined) body[field.name] = sent
  }
  return body
}

function newValue(model: FormModel, { definition, shape }: Field, value: FieldValue): unknown {
  switch (value.kind) {
    case 'scalar':
      if (value.value === null && (definition.default ?? null) === null) return undefined
      return value.value
    case 'relation': {
      const ids = value.items.map(({ id }) => id)
      if (ids.length === 0) return undefined
      return shape.kind === 'relation' && shape.many ? ids : ids[0]
    }
    case 'components': {
      if (value.items.length === 0 || shape.kind !== 'components') return undefined
      const items = value.items.map((item) => newComponent(model, item, shape.zone))
      return shape.many ? items : items[0]
    }
  }
}

const newComponent = (model: FormModel, item: ComponentValue, zone: boolean): Body => ({
  ...(zone && { __component: item.uid }),
  ...createBody(model, item),
})

function changesOf(model: FormModel, base: GroupValue, mine: GroupValue): Body {
  const body: Record<string, unknown> = {}
  for (const field of fieldsOf(schemaOf(model, mine.uid))) {
    const [before, after] = [base.fields[field.name], mine.fields[field.name]]
    if (before === undefined || after === undefined) continue
    const change = changeOf(model, field, before, after)
    if (change !== undefined) body[field.name] = change
  }
  return body
}

function changeOf(model: FormModel, field: Field, before: FieldValue, after: FieldValue): unknown {
  if (before.kind === 'scalar' && after.kind === 'scalar')
    return sameJson(before.value, after.value) ? undefined : after.value
  if (before.kind === 'relation' && after.kind === 'relation')
    return relationChange(field, before.items, after.items)
  if (before.kind === 'components' && after.kind === 'components')
    return componentsChange(model, field, before.items, after.items)
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
  model: FormModel,
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
      return newComponent(model, item, shape.zone)
    }
    const changes = changesOf(model, known, item)
    if (Object.keys(changes).length > 0) isChanged = true
    return { ...(shape.zone && { __component: item.uid }), id: item.id, ...changes }
  })
  if (!isChanged) return undefined
  return shape.many ? items : (items[0] ?? null)
}
