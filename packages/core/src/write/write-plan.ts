/**
 * What a write does, checked against the definitions and not yet against the database: every value has been read by
 * its attribute's type. Mistakes are gathered beside it, so that a body's are reported all at once.
 */
import type { Bindable } from '../content-type/attribute-type.ts'
import type {
  ComponentAttribute,
  Model,
  MorphAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../content-type/model.ts'

/** A place in a body, list indexes as numbers: `['hours', 0, 'day']`. */
export type BodyPath = readonly (string | number)[]

/** One row, of an entry or of a component in it. */
export interface RowWrite {
  readonly model: Model
  /** The row that is changed; `undefined`: a new one. */
  readonly id: number | undefined
  /** What is named, and the defaults of a new row. `null` clears. */
  readonly values: ReadonlyMap<ScalarAttribute, Bindable>
  readonly relations: readonly RelationWrite[]
  readonly components: readonly ComponentWrite[]
  readonly morphs: readonly MorphWrite[]
  readonly at: BodyPath
}

export interface RelationWrite {
  readonly attribute: RelationAttribute
  readonly change: RelationChange
  readonly at: BodyPath
}

export type RelationChange =
  /** Exactly these, in this order. */
  | {
      readonly kind: 'set'
      readonly ids: readonly number[]
      /** Besides them, those that stay where they are: the caller cannot find them, and so did not leave them out. */
      readonly keep?: readonly number[]
    }
  /** Connecting wins over disconnecting the same id. */
  | {
      readonly kind: 'patch'
      readonly connect: readonly Connection[]
      readonly disconnect: readonly number[]
      readonly strict: boolean
    }

export interface Connection {
  readonly id: number
  readonly position: Position
}

/** Where a connected entry goes in a to-many relation; `end` unless said otherwise. */
export type Position =
  | { readonly kind: 'end' | 'start' }
  | {
      readonly kind: 'before' | 'after'
      readonly id: number
      /** The id as it was given, where the caller cannot find that entry and `id` stands for none; for the message. */
      readonly given?: number
    }

/** An entry that a polymorphic relation leads to, by the attribute there that leads back; empty when there is none. */
export interface MorphReference {
  readonly type: string
  readonly id: number
  readonly field: string
}

export interface MorphWrite {
  readonly attribute: MorphAttribute
  readonly change:
    | { readonly kind: 'set'; readonly items: readonly MorphReference[] }
    | {
        readonly kind: 'patch'
        readonly connect: readonly MorphReference[]
        readonly disconnect: readonly MorphReference[]
      }
  readonly at: BodyPath
}

/** The components of an attribute from now on, in this order; those that are not among them are deleted. */
export interface ComponentWrite {
  readonly attribute: ComponentAttribute | ZoneAttribute
  readonly items: readonly RowWrite[]
  readonly at: BodyPath
}

/** The row with other relations, in its components as well. `name` is that of the entry's own attribute it is in. */
export function withRelations(
  row: RowWrite,
  change: (relation: RelationWrite, name: string) => RelationWrite,
  changeMorph: (morph: MorphWrite) => MorphWrite = (morph) => morph,
  inside?: string,
): RowWrite {
  return {
    ...row,
    relations: row.relations.map((relation) => change(relation, inside ?? relation.attribute.name)),
    morphs: row.morphs.map(changeMorph),
    components: row.components.map((component) => ({
      ...component,
      items: component.items.map((item) =>
        withRelations(item, change, changeMorph, inside ?? component.attribute.name),
      ),
    })),
  }
}

/** The row and all component rows below it, parents first. */
export function* allRows(row: RowWrite): Generator<RowWrite> {
  yield row
  for (const component of row.components) for (const item of component.items) yield* allRows(item)
}
