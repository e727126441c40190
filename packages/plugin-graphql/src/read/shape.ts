/** Functions that make the answer of GraphQL from the JSON that REST has. */
import type { LayoutMember, LayoutValue, RowLayout } from '@octavo/core/plugin'
import type { FieldNode } from 'graphql'

/** Receives a value of REST. @throws PayloadTooLargeError when the answer becomes too large */
export type Shape = (value: unknown, making: Making) => unknown

/** Notes on an answer while it is made. */
export interface Making {
  /**
   * Adds a value that the schema requires and the answer lacks to the errors.
   * @param field `Article.title`
   * @param isHidden Whether the caller may not read it. Otherwise the entry has none, as drafts may.
   */
  readonly absent: (field: string, isHidden: boolean) => void
  /** Counts bytes of the answer, which aliases multiply. @throws PayloadTooLargeError when there are too many */
  readonly count: (bytes: number) => void
}

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
  (value, making) => {
    if (value === null || value === undefined) return null
    making.count(2)
    const source = value as Json
    // A response key may be any name, `__proto__` among them.
    const made: Record<string, unknown> = Object.create(null)
    for (const { key, from, shape, required } of members) {
      making.count(key.length + 4)
      const item = shape(source[from], making)
      if (item === null && required !== undefined) {
        // REST leaves out what the caller may not read. An object that became null for a value in it has the error of that value.
        const given = source[from]
        if (given === null || given === undefined) making.absent(required, given === undefined)
        return null
      }
      made[key] = item
    }
    return made
  }

export const listOf =
  (shape: Shape): Shape =>
  (value, making) =>
    Array.isArray(value) ? value.map((item) => shape(item, making)) : value === undefined ? null : value

export const plain: Shape = (value, { count }) => {
  count(sizeOf(value))
  return value ?? null
}

/** The bytes of a value, if all characters take one. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 4
}

export const constant = (value: unknown): Shape => {
  const size = sizeOf(value)
  return (_value, { count }) => {
    count(size)
    return value
  }
}

/** Ids are texts. */
export const idText: Shape = (value, making) =>
  plain(value === null || value === undefined ? null : String(value), making)

/** Times have milliseconds: `10:00:00.000` for `10:00:00`. */
export const timeText: Shape = (value, making) =>
  plain(
    typeof value === 'string' && /^\d\d:\d\d:\d\d(\.\d{1,3})?$/.test(value)
      ? (value.includes('.') ? value : `${value}.`).padEnd(12, '0')
      : value,
    making,
  )

/** A date-time for the milliseconds that REST has of a timestamp; those of no date of JavaScript stay as they are. */
export const momentText: Shape = (value, making) => {
  const date = typeof value === 'string' ? new Date(Number(value)) : undefined
  return plain(date && !Number.isNaN(date.getTime()) ? date.toISOString() : value, making)
}

/** A whole number that REST has as text is a number where JavaScript has it exactly. */
export const wholeNumber: Shape = (value, making) =>
  plain(typeof value === 'string' && Number.isSafeInteger(Number(value)) ? Number(value) : value, making)

/** The names of the values of an enumeration. */
export const enumNames =
  (names: ReadonlyMap<string, string>): Shape =>
  (value, making) =>
    plain(typeof value === 'string' ? (names.get(value) ?? value) : null, making)

/** Items of a zone, by the uid of their component. */
export const zoneItems = (shapes: ReadonlyMap<string, Shape>): Shape =>
  listOf((item, making) => {
    const shape = shapes.get(String((item as Json).__component))
    return shape ? shape(item, making) : null
  })

/** The name of a field, without its alias. */
export const nameOf = ([node]: readonly FieldNode[]): string => node?.name.value ?? ''
