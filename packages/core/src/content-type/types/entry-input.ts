/** The input of a write: attribute names and values. */
export type EntryInput = Readonly<Record<string, unknown>>
