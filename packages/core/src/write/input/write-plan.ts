/**
 * A write, checked against the definitions and not yet against the database: every value has been parsed by
 * its attribute's type. Mistakes are collected separately, so that they are reported together.
 */
import type { Bindable, UnknownPart } from '../../content-type/attribute-type.ts'
import type {
  ComponentAttribute,
  Model,
  MorphAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../../content-type/model.ts'
import { onceFor } from '../../once-for.ts'

/** A place in a body, list indexes as numbers: `['hours', 0, 'day']`. */
export type BodyPath = readonly (string | number)[]

/** The change of an entry that a write makes. */
export interface WritePlan {
  readonly kind: 'insert' | 'update' | 'delete'
  /** Without values for a deletion. */
  readonly row: RowWrite
}

/** One row, of an entry or of a component in it. */
export interface RowWrite {
  readonly model: Model
  /** The id of an existing row; `undefined`: a new row. */
  readonly id: number | undefined
  /** The given values, and the defaults of a new row. `null` clears. */
  readonly values: ReadonlyMap<ScalarAttribute, Bindable>
  readonly relations: readonly RelationWrite[]
  readonly components: readonly ComponentWrite[]
  readonly morphs: readonly MorphWrite[]
  /** Values that are valid when the stored ones have parts of them. Absent: none. */
  readonly kept?: readonly KeptParts[]
  readonly at: BodyPath
}

/** Parts of a value that are valid because the stored value of the row has them. */
export interface KeptParts {
  readonly attribute: ScalarAttribute
  readonly parts: readonly UnknownPart[]
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
      /** Further entries that remain: the caller cannot find them, and so did not remove them. */
      readonly keep?: readonly number[]
    }
  /** Connecting wins over disconnecting the same id. */
  | {
      readonly kind: 'patch'
      readonly connect: readonly Connection[]
      readonly disconnect: readonly number[]
      readonly strict: boolean
    }

/** The entries that are related by a change: connected or set. */
export const connectedBy = (change: RelationChange): readonly number[] =>
  change.kind === 'set' ? change.ids : change.connect.map(({ id }) => id)

export interface Connection {
  readonly id: number
  readonly position: ListPosition
}

/** Where a connected entry goes in a to-many relation; default `end`. */
export type ListPosition =
  | { readonly kind: 'end' }
  | { readonly kind: 'start' }
  | {
      readonly kind: 'before' | 'after'
      readonly id: number
      /** The given id for the message, when `id` is the replacement of an entry that the caller cannot find. */
      readonly given?: number
    }

/** A target of a polymorphic relation, with its inverse attribute; empty when there is none. */
export interface MorphItem {
  readonly type: string
  readonly id: number
  readonly field: string
}

export interface MorphWrite {
  readonly attribute: MorphAttribute
  readonly change:
    | { readonly kind: 'set'; readonly items: readonly MorphItem[] }
    | {
        readonly kind: 'patch'
        readonly connect: readonly MorphItem[]
        readonly disconnect: readonly MorphItem[]
      }
  readonly at: BodyPath
}

/** The entries that are related by a change: connected or set. */
export const connectedItems = ({ change }: MorphWrite): readonly MorphItem[] =>
  change.kind === 'set' ? change.items : change.connect

/** Connected items whose inverse attribute is to-one, so that it loses its former entry. */
export const takenItems = (morph: MorphWrite): readonly MorphItem[] =>
  connectedItems(morph).filter(({ type, field }) =>
    morph.attribute.sides.get(type)?.some(({ name, many }) => name === field && !many),
  )

/** The new components of an attribute, in order; other existing ones are deleted. */
export interface ComponentWrite {
  readonly attribute: ComponentAttribute | ZoneAttribute
  readonly items: readonly RowWrite[]
  readonly at: BodyPath
}

/** Replaces the relations of a row, including those of its components. */
export function withRelations(
  row: RowWrite,
  change: (relation: RelationWrite) => RelationWrite,
  changeMorph: (morph: MorphWrite) => MorphWrite = (morph) => morph,
): RowWrite {
  return {
    ...row,
    relations: row.relations.map(change),
    morphs: row.morphs.map(changeMorph),
    components: row.components.map((component) => ({
      ...component,
      items: component.items.map((item) => withRelations(item, change, changeMorph)),
    })),
  }
}

/** The entries of one content-type that a relation of a row refers to. */
export interface Reference {
  /** Uid of their content-type. */
  readonly target: string
  /** Ids of related entries that must exist: connected or set. */
  readonly ids: readonly number[]
  /** Ids that need not exist: disconnected entries, and neighbours of positions. */
  readonly others: readonly number[]
  readonly write: RelationWrite | MorphWrite
  /** `undefined` for a polymorphic relation. */
  readonly via: RelationAttribute | undefined
  /** The row with the relation, the row of its entry, and the name of the entry's attribute that the relation is in. */
  readonly row: RowWrite
  readonly root: RowWrite
  readonly name: string
}

/** The references of an entry and of the components in it. */
export function referencesOf(root: RowWrite): readonly Reference[] {
  const found: Reference[] = []
  const visit = (row: RowWrite, inside?: string): void => {
    for (const write of row.relations) {
      const { attribute, change } = write
      const { target, name } = attribute
      const ids = connectedBy(change)
      const others = change.kind === 'set' ? [] : [...change.disconnect, ...neighboursIn(change.connect)]
      found.push({ target, ids, others, write, via: attribute, row, root, name: inside ?? name })
    }
    for (const write of row.morphs) {
      const { attribute, change } = write
      const connected = connectedItems(write)
      const others = change.kind === 'set' ? [] : change.disconnect
      for (const target of new Set([...connected, ...others].map(({ type }) => type))) {
        const idsOf = (items: readonly MorphItem[]) =>
          items.flatMap(({ type, id }) => (type === target ? [id] : []))
        const [name, via] = [inside ?? attribute.name, undefined]
        found.push({ target, ids: idsOf(connected), others: idsOf(others), write, via, row, root, name })
      }
    }
    for (const { attribute, items } of row.components)
      for (const item of items) visit(item, inside ?? attribute.name)
  }
  visit(root)
  return found
}

const neighboursIn = (connect: readonly Connection[]): readonly number[] =>
  connect.flatMap(({ position }) => ('id' in position ? [position.id] : []))

/** The row and all component rows below it, parents first. Rows are not changed, so each tree is walked once. */
export const allRows = onceFor((row: RowWrite): readonly RowWrite[] =>
  row.components.length === 0
    ? [row]
    : [row, ...row.components.flatMap(({ items }) => items.flatMap((item) => allRows(item)))],
)
