/** Changes of a layout. */
import type { Layout } from '../model/model.ts'

/** A field in the order of the form. */
export interface Place {
  readonly name: string
  /** Twelfths. */
  readonly size: number
  /** Whether it begins a row. */
  readonly starts: boolean
}

export const placesOf = ({ form }: Layout): readonly Place[] =>
  form.flatMap((row) => row.map(({ name, size }, i) => ({ name, size, starts: i === 0 })))

/** The rows of places: a new one where a place begins one, and where no room is left. */
export function rowsOf(places: readonly Place[]): Layout['form'] {
  const rows: { name: string; size: number }[][] = []
  let left = 0
  for (const { name, size, starts } of places) {
    const row = rows.at(-1)
    if (row && !starts && size <= left) row.push({ name, size })
    else rows.push([{ name, size }])
    left = (row && !starts && size <= left ? left : 12) - size
  }
  return rows
}

/** A list with an item at another place; the list itself when there is no such place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from]
  return item === undefined || to < 0 || to >= list.length
    ? list
    : list.toSpliced(from, 1).toSpliced(to, 0, item)
}
