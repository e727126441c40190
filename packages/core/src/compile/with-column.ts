import { type Compiled, type Sql, toStatement } from '@octavo/database'

/** A statement with a column before those of its own. @param column An expression without values. */
export const withColumn = ({ text, values }: Compiled, column: Sql): Compiled => ({
  text: `select ${toStatement(column).text}, "s".* from (${text}) as "s"`,
  values,
})
