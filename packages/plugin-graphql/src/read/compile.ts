/** Turns the selection of a root field into one read of REST and the function that makes its answer. */
import { isValue } from '@octavo/core/internal'
import type { Attribute, ContentType, Model, Registry } from '@octavo/core/plugin'
import { type FieldNode, type GraphQLObjectType, getArgumentValues, isNonNullType } from 'graphql'
import { problem } from '../problems.ts'
import { typeName } from '../schema/names.ts'
import { hasDrafts } from '../schema/values.ts'
import { filterParameters, type PageBounds, type Parameter, pageOf, sortParameters } from './arguments.ts'
import { type ChildPlace, Place } from './place.ts'
import { type Operation, subfields } from './selection.ts'
import {
  constant,
  enumNames,
  idText,
  listOf,
  type Member,
  nameOf,
  objectOf,
  plain,
  type Shape,
  timeText,
  zoneItems,
} from './shape.ts'

/** Selections of one operation, whose places are counted together. */
export interface Compiling {
  readonly operation: Operation
  readonly registry: Registry
  readonly pages: PageBounds
  /** Names of the values of enumerations that differ from them, by the name of the type. */
  readonly enums: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Counts a populated place. @throws ValidationError for too many */
  readonly countPlace: () => void
}

type State = 'live' | 'preview'

/** A node of the selection. */
export interface Here {
  /** The place that is read. */
  readonly place: Place
  /** The state of drafts that relations without the argument have. */
  readonly state: State
  /** The state that places of the query inherit where they name none. */
  readonly inherited: State
}

/** The root of a selection whose query has this `publicationState`. */
export const rootOf = (place: Place, inherited: State, state = inherited): Here => ({
  place,
  state,
  inherited,
})

/** An entity: `{ id attributes { … } }`. */
export function entityShape(
  nodes: readonly FieldNode[],
  type: ContentType,
  here: Here,
  compiling: Compiling,
): Shape {
  const entity = `${typeName(type)}Entity`
  const members: Member[] = []
  for (const [key, given] of subfields(nodes, entity, compiling.operation)) {
    const name = nameOf(given)
    if (name === '__typename') members.push({ key, from: name, shape: constant(entity) })
    else if (name === 'id') members.push({ key, from: 'id', shape: idText })
    else members.push({ key, from: 'attributes', shape: modelShape(given, type, here, compiling) })
  }
  return objectOf(members)
}

/** `{ data … }` of an entity or of a list of them, from `{ data }` of REST. */
export function envelopeShape(
  nodes: readonly FieldNode[],
  type: ContentType,
  envelope: string,
  here: Here,
  compiling: Compiling,
  more?: (name: string, nodes: readonly FieldNode[]) => Shape | undefined,
): Shape {
  const members: Member[] = []
  const isList = envelope.endsWith('Collection')
  for (const [key, given] of subfields(nodes, envelope, compiling.operation)) {
    const name = nameOf(given)
    const own = more?.(name, given)
    if (name === '__typename') members.push({ key, from: name, shape: constant(envelope) })
    else if (own) members.push({ key, from: name, shape: own })
    else {
      const entity = entityShape(given, type, here, compiling)
      members.push({ key, from: 'data', shape: isList ? orEmpty(listOf(entity)) : entity })
    }
  }
  return objectOf(members)
}

/** A list that the caller may not read is empty. */
const orEmpty =
  (shape: Shape): Shape =>
  (value, faults) =>
    value === undefined || value === null ? [] : shape(value, faults)

/** The attributes of an entry, or a component. */
function modelShape(nodes: readonly FieldNode[], model: Model, here: Here, compiling: Compiling): Shape {
  const name = typeName(model)
  const object = compiling.operation.schema.getType(name) as GraphQLObjectType // a type of the model
  const defined = object.getFields()
  const members: Member[] = []
  for (const [key, given] of subfields(nodes, name, compiling.operation)) {
    const field = nameOf(given)
    if (field === '__typename') {
      members.push({ key, from: field, shape: constant(name) })
      continue
    }
    const type = defined[field]?.type
    const required = type && isNonNullType(type) ? { required: `${name}.${field}` } : {}
    if (field === 'id' && model.kind === 'component') {
      members.push({ key, from: 'id', shape: idText, ...required })
      continue
    }
    const attribute = model.attributes.get(field)
    if (!attribute) throw new Error(`${name}.${field} is no attribute`)
    members.push({ key, ...attributeShape(given, attribute, model, here, compiling), ...required })
  }
  return objectOf(members)
}

function attributeShape(
  nodes: readonly FieldNode[],
  attribute: Attribute,
  model: Model,
  here: Here,
  compiling: Compiling,
): Pick<Member, 'from' | 'shape'> {
  if (isValue(attribute)) {
    // A hash never leaves the server.
    if (attribute.private) return { from: attribute.name, shape: constant(null) }
    here.place.fields.add(attribute.name)
    const names = compiling.enums.get(`${model.uid}.${attribute.name}`)
    const shape = attribute.definition.type === 'time' ? timeText : plain
    return { from: attribute.name, shape: names ? enumNames(names) : shape }
  }
  if (attribute.kind === 'zone') return zoneShape(nodes, attribute, here, compiling)
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
  const child = childAt(here.place, attribute, parameters, new Place(target), undefined, compiling)
  const below = { place: child.place, state, inherited: isNamed ? state : here.inherited }
  if (target.kind === 'component') {
    const part = modelShape(nodes, target, below, compiling)
    return { from: child.key, shape: isMany ? listOf(part) : part }
  }
  const envelope = `${typeName(target)}${isMany ? 'RelationResponseCollection' : 'EntityResponse'}`
  const shape = envelopeShape(nodes, target, envelope, below, compiling)
  // A relation that the caller may not read is not part of the answer of REST.
  return { from: child.key, shape: (value, faults) => shape(value ?? { data: null }, faults) }
}

/** `LIVE` by default where the field has the argument; `undefined` where it has not. */
const stateOf = (given: unknown): State | undefined =>
  given === 'PREVIEW' ? 'preview' : given === undefined || given === null ? undefined : 'live'

function listParameters(
  values: Readonly<Record<string, unknown>>,
  target: Model,
  { registry, pages }: Compiling,
): readonly Parameter[] {
  const { start, limit } = pageOf(values.pagination, pages)
  return [
    ...filterParameters(values.filters, target, registry),
    ...sortParameters(values.sort),
    ...(start > 0 ? [[['start'], String(start)] as const] : []),
    [['limit'], String(limit)],
  ]
}

/** The arguments of a field, whose nodes have the same ones. */
export function argumentsOf(
  [node]: readonly FieldNode[],
  model: Model | string,
  { operation: { schema, variables } }: Pick<Compiling, 'operation'>,
): Readonly<Record<string, unknown>> {
  const name = typeof model === 'string' ? model : typeName(model)
  const field = node && (schema.getType(name) as GraphQLObjectType).getFields()[node.name.value]
  return field && node ? getArgumentValues(field, node, variables) : {}
}

/** Opens the place of an attribute. Selections with the same arguments share it; others have a name of their own. */
function childAt(
  { children }: Place,
  { name }: Attribute,
  parameters: readonly Parameter[],
  place: Place,
  zone: ReadonlyMap<string, Place> | undefined,
  { countPlace }: Compiling,
): ChildPlace {
  const id = `${name} ${JSON.stringify(parameters)}`
  const known = children.get(id)
  if (known) return known
  countPlace()
  const others = [...children.values()].filter(({ attribute }) => attribute === name).length
  const key = others === 0 ? name : `${name}~${others}`
  const child = { key, attribute: name, parameters, place, zone }
  children.set(id, child)
  return child
}

function zoneShape(
  nodes: readonly FieldNode[],
  attribute: Extract<Attribute, { kind: 'zone' }>,
  here: Here,
  compiling: Compiling,
): Pick<Member, 'from' | 'shape'> {
  // Every component, because the list has all items.
  const { registry } = compiling
  const places = new Map(attribute.components.map((uid) => [uid, new Place(registry.component(uid))]))
  // The place of the zone itself has no values.
  const child = childAt(here.place, attribute, [], new Place(here.place.model), places, compiling)
  const shapes = new Map<string, Shape>()
  for (const uid of attribute.components) {
    const place = child.zone?.get(uid)
    if (!place) throw new Error(`A zone without ${uid}`)
    compiling.countPlace()
    shapes.set(uid, modelShape(nodes, registry.component(uid), { ...here, place }, compiling))
  }
  return { from: child.key, shape: zoneItems(shapes) }
}

/** Refuses operations with more places than a query of REST may populate. */
export function placeCounter(limit: number): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > limit) throw problem('graphql/too-many-places', { limit })
  }
}
