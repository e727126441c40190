/**
 * The JSON of an answer in another form than that of REST, which the statement writes: names, order and nesting of its members.
 *
 *     { key: 'a', row: [{ name: 'slug', value: { kind: 'attribute', name: 'title', empty: 'null' } }] }   → {"slug":"Emma"}
 *
 * It chooses among the values that the query selects, so it shows nothing that the query does not read.
 */
export interface AnswerLayout {
  /** Layouts with one key are the same. */
  readonly key: string
  readonly row: RowLayout
}

/** The members of an object, in their order. */
export type RowLayout = readonly LayoutMember[]

export interface LayoutMember {
  readonly name: string
  readonly value: LayoutValue
}

/** `empty` is the text in place of a value that is null, or that the query does not select. A list without rows is `[]`. */
export type LayoutValue =
  /** JSON text, the same for all rows. */
  | { readonly kind: 'text'; readonly json: string }
  /** The id of the row as a string. */
  | { readonly kind: 'id' }
  /** An attribute that the query selects, and that no function computes. */
  | {
      readonly kind: 'attribute'
      readonly name: string
      readonly empty: string
      /** For a type of whole numbers: a number where JavaScript has it exactly, otherwise a string of its digits. Default false. */
      readonly whole?: boolean
    }
  /** An object of values of the same row. */
  | { readonly kind: 'object'; readonly members: RowLayout }
  /** A populated relation or component, by its name in the answer of REST; each use is a further subquery. */
  | { readonly kind: 'row'; readonly child: string; readonly row: RowLayout; readonly empty: string }
  | { readonly kind: 'list'; readonly child: string; readonly row: RowLayout; readonly empty: string }
  /** A populated zone, with a layout for each of its components. */
  | {
      readonly kind: 'zone'
      readonly child: string
      readonly rows: ReadonlyMap<string, RowLayout>
      readonly empty: string
    }

/** Bytes of the shortest JSON of a row, or of a row below it. */
export function shortestLayout(row: RowLayout): number {
  const own = 2 + row.reduce((bytes, { name }) => bytes + name.length + 4, 0)
  return Math.min(own, ...rowsBelow(row).map(shortestLayout))
}

const rowsBelow = (row: RowLayout): readonly RowLayout[] =>
  row.flatMap(({ value }) => {
    if (value.kind === 'object') return rowsBelow(value.members)
    if (value.kind === 'zone') return [...value.rows.values()]
    return value.kind === 'row' || value.kind === 'list' ? [value.row] : []
  })
