import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import type { Bindable } from '../content-type/attribute-type.ts'
import type { RuntimeValue } from '../resolve/plan.ts'

/** A piece of SQL with its parameters. */
export type Sql = RawBuilder<unknown>

/** A statement's text with what its parameters hold; runtime values are filled in when it runs. */
export interface Compiled {
  readonly text: string
  readonly values: readonly (Bindable | RuntimeValue)[]
}

// Only compiles: nothing is ever run through it.
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
  // Parameters are the operands of a plan, which are Bindable or RuntimeValue by type; Kysely forgets it.
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
/** A `where` clause of those that are there, or nothing. */
export function where(conditions: readonly (Sql | undefined)[]): Sql {
  const given = conditions.filter((c) => c !== undefined)
  return given.length === 0 ? sql`` : sql` where ${join(given, ' and ')}`
}
