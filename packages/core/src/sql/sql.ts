import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'

export { sql }

/** A value of a statement's parameter. Both engines accept it without a codec. */
export type Bindable = string | number | boolean | null | Date | readonly (string | number | boolean | null)[]

/** A value that is known only when the statement runs: the entry's id, the caller's id. The cached statement is shared. */
export interface RuntimeValue {
  readonly name: string
}

/**
 * An SQL fragment with its parameters, created by the tag `sql`. A `${value}` becomes a parameter; a `${fragment}` is
 * inserted; identifiers are written with `sql.id(name)`. Text of a request never becomes SQL.
 */
export type Sql = RawBuilder<unknown>

/** The text of a statement with the values of its parameters; runtime values are bound when it runs. */
export interface Compiled {
  readonly text: string
  readonly values: readonly (Bindable | RuntimeValue)[]
}

// Compiles only; no statement runs through it.
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export function toStatement(statement: Sql): Compiled {
  const { sql: text, parameters } = statement.compile(compiler)
  // The types of the fragments admit only Bindable and RuntimeValue; Kysely returns `unknown`.
  return { text, values: parameters as Compiled['values'] }
}

/** Table aliases in order of appearance: `t0`, `t1`... The same plan shape gives the same names. */
export class Aliases {
  /** Whether the usual pages of this statement are literals; see `hasLiteralPages`. Default: parameters. */
  readonly literalPages: boolean
  #next = 0

  constructor({ literalPages = false }: { readonly literalPages?: boolean } = {}) {
    this.literalPages = literalPages
  }

  next(): string {
    return `t${this.#next++}`
  }
}

export const column = (alias: string, name: string): Sql => sql`${sql.id(alias)}.${sql.id(name)}`
export const table = (name: string, alias: string): Sql => sql`${sql.id(name)} as ${sql.id(alias)}`
export const join = (parts: readonly Sql[], separator: string): Sql => sql.join(parts, sql.raw(separator))

/** A `where` clause of the defined conditions; empty when there are none. */
export function where(conditions: readonly (Sql | undefined)[]): Sql {
  const given = conditions.filter((c) => c !== undefined)
  return given.length === 0 ? sql`` : sql` where ${join(given, ' and ')}`
}

/** A parameter of a PostgreSQL type: `$1::int8`. The type is a literal in the code, never text of a request. */
export const param = (value: Bindable, type: string): Sql => sql`${sql.val(value)}::${sql.raw(type)}`

/** The text of a timestamp in responses and data files, in UTC: `2024-01-01T09:00:01.037Z`. */
export const isoTime = (value: Sql): Sql =>
  sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
