/** The position after a change: its id and its mark. */
export interface Cursor {
  readonly id: number
  readonly mark: number | null
}

/** Before the first change of a feed. */
export const beginning: Cursor = { id: 0, mark: null }

/** The text of a cursor. */
export const cursorPattern = '^(\\d{1,15})(?:-(\\d{1,10}))?$'

/** `41-1804289383`, as clients have it. */
export const printCursor = ({ id, mark }: Cursor): string => (mark === null ? `${id}` : `${id}-${mark}`)

/** `undefined` for a text that is not a cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const [, id, mark] = new RegExp(cursorPattern).exec(text) ?? []
  return id === undefined ? undefined : { id: Number(id), mark: mark === undefined ? null : Number(mark) }
}
