/** The state that the fields of a selection share while it is compiled: their operation, their places, and the arguments of each. */
import type { Attribute, Model, Registry } from '@octavo/core/plugin'
import { type FieldNode, type GraphQLObjectType, getArgumentValues } from 'graphql'
import { typeName } from '../schema/names.ts'
import { filterParameters, type PageBounds, type Parameter, pageOf, sortParameters } from './arguments.ts'
import type { ChildPlace, Place } from './place.ts'
import type { Operation } from './selection.ts'
import type { ShapeBounds } from './shape-bounds.ts'

/** Selections of one operation, whose places are counted together. */
export interface Compiling {
  readonly operation: Operation
  readonly registry: Registry
  readonly pages: PageBounds
  /** Names of the values of enumerations that differ from them, by the name of the type. */
  readonly enums: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Counts what the selections read together. */
  readonly bounds: ShapeBounds
}

export type State = 'live' | 'preview'

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

/** `LIVE` by default where the field has the argument; `undefined` where it has not. */
export const stateOf = (given: unknown): State | undefined =>
  given === 'PREVIEW' ? 'preview' : given === undefined || given === null ? undefined : 'live'

export function listParameters(
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

export interface Opened {
  readonly child: ChildPlace
  /** False for a place that another selection has opened. */
  readonly isNew: boolean
}

/** Opens the place of an attribute. Selections with the same arguments share it; others have a name of their own. */
export function childAt(
  { children }: Place,
  { name }: Attribute,
  parameters: readonly Parameter[],
  place: Place,
  zone: ReadonlyMap<string, Place> | undefined,
  { bounds }: Compiling,
): Opened {
  const id = `${name} ${JSON.stringify(parameters)}`
  const known = children.get(id)
  if (known) return { child: known, isNew: false }
  bounds.countPlace()
  bounds.countParameters(parameters)
  const others = [...children.values()].filter(({ attribute }) => attribute === name).length
  const key = others === 0 ? name : `${name}~${others}`
  const child = { key, attribute: name, parameters, place, zone }
  children.set(id, child)
  return { child, isNew: true }
}
