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

/** A value of a statement's parameter. Both engines take it without a codec of ours. */
export type Bindable = string | number | boolean | null | Date | readonly (string | number | boolean | null)[]

/** A value that is known only when the statement runs: the entry's id, the caller's id. The statement stays cached. */
export interface RuntimeValue {
  readonly name: string
}

/**
 * A piece of SQL with its parameters, made by the tag `sql`. A `${value}` becomes a parameter; a `${fragment}` is put in
 * place; names are written with `sql.id(name)`. Text from outside never becomes SQL.
 */
export type Sql = RawBuilder<unknown>

/** The text of a statement with the values of its parameters; runtime values are filled in when it runs. */
export interface Compiled {
  readonly text: string
  readonly values: readonly (Bindable | RuntimeValue)[]
}

// Only compiles: no statement ever runs through it.
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
  // Parameters are Bindable or RuntimeValue by the types of the fragments; Kysely forgets that.
  return { text, values: parameters as Compiled['values'] }
}

/** Names tables in the order in which they appear: `t0`, `t1`... The same plan shape gives the same names. */
export class Aliases {
  #next = 0
  next(): string {
    return `t${this.#next++}`
  }
}

export const column = (alias: string, name: string): Sql => sql`${sql.id(alias)}.${sql.id(name)}`
export const table = (name: string, alias: string): Sql => sql`${sql.id(name)} as ${sql.id(alias)}`
export const join = (parts: readonly Sql[], separator: string): Sql => sql.join(parts, sql.raw(separator))

/** A `where` clause of the conditions that are given, or nothing. */
export function where(conditions: readonly (Sql | undefined)[]): Sql {
  const given = conditions.filter((c) => c !== undefined)
  return given.length === 0 ? sql`` : sql` where ${join(given, ' and ')}`
}

/** A parameter of a PostgreSQL type: `$1::int8`. The type is a literal of the code, never text from outside. */
export const param = (value: Bindable, type: string): Sql => sql`${sql.val(value)}::${sql.raw(type)}`

/** The text of a timestamp in answers and data files, in UTC: `2024-01-01T09:00:01.037Z`. */
export const isoTime = (value: Sql): Sql =>
  sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
