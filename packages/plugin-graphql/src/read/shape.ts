/** Functions that make the answer of GraphQL from the JSON that REST has. */
import type { LayoutMember, LayoutValue, RowLayout } from '@octavo/core/plugin'
import type { FieldNode } from 'graphql'

/** Receives a value of REST and the problems of the answer. */
export type Shape = (value: unknown, faults: Faults) => unknown

/** Collects values that the schema requires and the answer lacks. */
export type Faults = (message: string) => void

type Json = Readonly<Record<string, unknown>>

/** A field of an object in the answer. */
export interface Member {
  readonly key: string
  /** The name in the object of REST. */
  readonly from: string
  readonly shape: Shape
  /** `Article.title` of a field that cannot be null. */
  readonly required?: string
  /** For statements that write the answer themselves; `undefined`: it is made from the answer of REST. */
  readonly layout?: LayoutValue | undefined
  /** Of `data`: the members of its entries. */
  readonly row?: RowLayout | undefined
}

/** The text in place of null where the schema has no null. JSON never has the character, so an answer shows whether it is there. */
export const missing = '\u0001'

/** The members of an object that a statement writes; `undefined` when it cannot write one of them. */
export function rowOf(members: readonly Member[]): RowLayout | undefined {
  const row: LayoutMember[] = []
  for (const { key, layout } of members) {
    if (!layout) return undefined
    row.push({ name: key, value: layout })
  }
  return row
}

/** JSON text that is the same in all rows. */
export const fixed = (value: unknown): LayoutValue => ({ kind: 'text', json: JSON.stringify(value) })

/** An object; null when a required field is. */
export const objectOf =
  (members: readonly Member[]): Shape =>
  (value, faults) => {
    if (value === null || value === undefined) return null
    const source = value as Json
    // A response key may be any name, `__proto__` among them.
    const made: Record<string, unknown> = Object.create(null)
    for (const { key, from, shape, required } of members) {
      const item = shape(source[from], faults)
      if (item === null && required !== undefined) {
        faults(`Cannot return null for non-nullable field ${required}.`)
        return null
      }
      made[key] = item
    }
    return made
  }

export const listOf =
  (shape: Shape): Shape =>
  (value, faults) =>
    Array.isArray(value) ? value.map((item) => shape(item, faults)) : value === undefined ? null : value

export const plain: Shape = (value) => value ?? null

export const constant =
  (value: unknown): Shape =>
  () =>
    value

/** Ids are texts. */
export const idText: Shape = (value) => (value === null || value === undefined ? null : String(value))

/** Times have milliseconds: `10:00:00.000` for `10:00:00`. */
export const timeText: Shape = (value) =>
  typeof value === 'string' && /^\d\d:\d\d:\d\d(\.\d{1,3})?$/.test(value)
    ? (value.includes('.') ? value : `${value}.`).padEnd(12, '0')
    : (value ?? null)

/** The names of the values of an enumeration. */
export const enumNames =
  (names: ReadonlyMap<string, string>): Shape =>
  (value) =>
    typeof value === 'string' ? (names.get(value) ?? value) : null

/** Items of a zone, by the uid of their component. */
export const zoneItems = (shapes: ReadonlyMap<string, Shape>): Shape =>
  listOf((item, faults) => {
    const shape = shapes.get(String((item as Json).__component))
    return shape ? shape(item, faults) : null
  })

/** The name of a field, without its alias. */
export const nameOf = ([node]: readonly FieldNode[]): string => node?.name.value ?? ''
