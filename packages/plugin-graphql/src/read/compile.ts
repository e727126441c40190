/** Turns the selection of a root field into one read of REST and the form of its answer. */
import { isValue } from '@octavo/core/internal'
import type { Attribute, ContentType, Model, RowLayout, ValueAttribute } from '@octavo/core/plugin'
import type { FieldNode } from 'graphql'
import { typeName } from '../schema/names.ts'
import { hasDrafts, scalarOf } from '../schema/values.ts'
import type { Parameter } from './arguments.ts'
import { argumentsOf, type Compiling, childAt, type Here, listParameters, stateOf } from './compiling.ts'
import { Place } from './place.ts'
import { requiredIn, subfields } from './selection.ts'
import {
  constant,
  enumNames,
  fixed,
  idText,
  listOf,
  type Member,
  missing,
  momentText,
  nameOf,
  objectOf,
  plain,
  rowOf,
  type Shape,
  timeText,
  wholeNumber,
  zoneItems,
} from './shape.ts'

/** An object of a selection: how it is made from the answer of REST, and its members where a statement writes it. */
interface Formed {
  readonly shape: Shape
  readonly row: RowLayout | undefined
}

const formed = (members: readonly Member[]): Formed => ({ shape: objectOf(members), row: rowOf(members) })

/** A member with the name of the type. */
const typename = (key: string, type: string): Member => ({
  key,
  from: '__typename',
  shape: constant(type),
  layout: fixed(type),
})

const idMember = (key: string): Member => ({ key, from: 'id', shape: idText, layout: { kind: 'id' } })

/** An entity: `{ id attributes { … } }`. */
function entityOf(nodes: readonly FieldNode[], type: ContentType, here: Here, compiling: Compiling): Formed {
  const entity = `${typeName(type)}Entity`
  const members: Member[] = []
  for (const [key, given] of subfields(nodes, entity, compiling.operation)) {
    const name = nameOf(given)
    if (name === '__typename') members.push(typename(key, entity))
    else if (name === 'id') members.push(idMember(key))
    else {
      const { shape, row } = modelOf(given, type, here, compiling)
      members.push({ key, from: 'attributes', shape, layout: row && { kind: 'object', members: row } })
    }
  }
  return formed(members)
}

/** The members of `{ data … }` of an entity or of a list of them, from `{ data }` of REST. */
export function envelopeOf(
  nodes: readonly FieldNode[],
  type: ContentType,
  envelope: string,
  here: Here,
  compiling: Compiling,
  more?: (name: string, nodes: readonly FieldNode[]) => Shape | undefined,
): readonly Member[] {
  const members: Member[] = []
  const isList = envelope.endsWith('Collection')
  for (const [key, given] of subfields(nodes, envelope, compiling.operation)) {
    const name = nameOf(given)
    const own = more?.(name, given)
    if (name === '__typename') members.push(typename(key, envelope))
    else if (own) members.push({ key, from: name, shape: own })
    else {
      const { shape, row } = entityOf(given, type, here, compiling)
      // A second form of the same entries is made from the answer of REST.
      const isFirst = members.every(({ from }) => from !== 'data')
      members.push({
        key,
        from: 'data',
        shape: isList ? orEmpty(listOf(shape)) : shape,
        row: isFirst ? row : undefined,
      })
    }
  }
  return members
}

export const envelopeShape = (...given: Parameters<typeof envelopeOf>): Shape =>
  objectOf(envelopeOf(...given))

/** A list that the caller may not read is empty. */
const orEmpty =
  (shape: Shape): Shape =>
  (value, making) =>
    value === undefined || value === null ? [] : shape(value, making)

/** The attributes of an entry, or a component. */
function modelOf(nodes: readonly FieldNode[], model: Model, here: Here, compiling: Compiling): Formed {
  const name = typeName(model)
  const members: Member[] = []
  for (const [key, given] of subfields(nodes, name, compiling.operation)) {
    const field = nameOf(given)
    if (field === '__typename') {
      members.push(typename(key, name))
      continue
    }
    const required = requiredIn(name, field, compiling.operation)
    if (field === 'id' && model.kind === 'component') {
      members.push({ ...idMember(key), ...required })
      continue
    }
    const attribute = model.attributes.get(field)
    if (!attribute) throw new Error(`${name}.${field} is no attribute`)
    const empty = required.required === undefined ? 'null' : missing
    members.push({ key, ...attributeMember(given, attribute, model, here, compiling, empty), ...required })
  }
  return formed(members)
}

type AttributeMember = Pick<Member, 'from' | 'shape' | 'layout'>

/** @param empty The text of a statement in place of null. */
function attributeMember(
  nodes: readonly FieldNode[],
  attribute: Attribute,
  model: Model,
  here: Here,
  compiling: Compiling,
  empty: string,
): AttributeMember {
  if (isValue(attribute)) return valueMember(attribute, model, here, compiling, empty)
  if (attribute.kind === 'zone') return zoneMember(nodes, attribute, here, compiling, empty)
  const target = compiling.registry.model(
    attribute.kind === 'relation' ? attribute.target : attribute.component,
  )
  const values = argumentsOf(nodes, model, compiling)
  const state = stateOf(values.publicationState) ?? here.state
  const isMany = attribute.kind === 'relation' ? attribute.many : attribute.repeatable
  const isNamed = hasDrafts(target) && state !== here.inherited
  const parameters: readonly Parameter[] = [
    ...(isMany ? listParameters(values, target, compiling) : []),
    ...(isNamed ? [[['publicationState'], state] as const] : []),
  ]
  const { child, isNew } = childAt(here.place, attribute, parameters, new Place(target), undefined, compiling)
  const below = { place: child.place, state, inherited: isNamed ? state : here.inherited }
  const [kind, from] = [isMany ? ('list' as const) : ('row' as const), child.key]
  if (target.kind === 'component') {
    const { shape, row } = modelOf(nodes, target, below, compiling)
    return {
      from,
      shape: isMany ? listOf(shape) : shape,
      layout: row && isNew ? { kind, child: from, row, empty } : undefined,
    }
  }
  const envelope = `${typeName(target)}${isMany ? 'RelationResponseCollection' : 'EntityResponse'}`
  const members = envelopeOf(nodes, target, envelope, below, compiling).map((member) => ({
    ...member,
    ...(member.row && {
      layout: { kind, child: from, row: member.row, empty: isMany ? '[]' : 'null' },
    }),
  }))
  const { shape, row } = formed(members)
  return {
    from,
    // A relation that the caller may not read is not part of the answer of REST.
    shape: (value, making) => shape(value ?? { data: null }, making),
    layout: row && isNew ? { kind: 'object', members: row } : undefined,
  }
}

function zoneMember(
  nodes: readonly FieldNode[],
  attribute: Extract<Attribute, { kind: 'zone' }>,
  here: Here,
  compiling: Compiling,
  empty: string,
): AttributeMember {
  // Every component, because the list has all items.
  const { registry } = compiling
  const places = new Map(attribute.components.map((uid) => [uid, new Place(registry.component(uid))]))
  // The place of the zone itself has no values.
  const { child, isNew } = childAt(here.place, attribute, [], new Place(here.place.model), places, compiling)
  const shapes = new Map<string, Shape>()
  const rows = new Map<string, RowLayout>()
  for (const uid of attribute.components) {
    const place = child.zone?.get(uid)
    if (!place) throw new Error(`A zone without ${uid}`)
    compiling.bounds.countPlace()
    const { shape, row } = modelOf(nodes, registry.component(uid), { ...here, place }, compiling)
    shapes.set(uid, shape)
    if (row) rows.set(uid, row)
  }
  const isWhole = isNew && rows.size === attribute.components.length
  return {
    from: child.key,
    shape: zoneItems(shapes),
    layout: isWhole ? { kind: 'zone', child: child.key, rows, empty } : undefined,
  }
}

function valueMember(
  attribute: ValueAttribute,
  model: Model,
  here: Here,
  { enums }: Compiling,
  empty: string,
): AttributeMember {
  const { name: from } = attribute
  // A hash never leaves the server.
  if (attribute.private) return { from, shape: constant(null), layout: fixed(null) }
  here.place.fields.add(from)
  const names = enums.get(`${model.uid}.${from}`)
  if (names) return { from, shape: enumNames(names) }
  if (attribute.definition.type === 'time') return { from, shape: timeText }
  if (attribute.definition.type === 'timestamp') return { from, shape: momentText }
  const isFunction = attribute.kind === 'computed' && attribute.compute.kind === 'function'
  if (scalarOf(attribute) === 'Long')
    return {
      from,
      shape: wholeNumber,
      layout: isFunction ? undefined : { kind: 'attribute', name: from, empty, whole: true },
    }
  // JSON may be null without being missing.
  const isJson = attribute.type.parameter === 'jsonb' && empty === missing
  return {
    from,
    shape: plain,
    layout: isFunction || isJson ? undefined : { kind: 'attribute', name: from, empty },
  }
}
