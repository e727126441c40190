import { ConfigurationError, type Queryable, type Sql, sql } from '@octavo/database'

/** The table or view of a name in the schema of Octavo's tables, or null. Other schemas of the search path may have the name, too. */
export const ownRelation = (name: string): Sql =>
  sql`to_regclass(quote_ident(current_schema()) || '.' || quote_ident(${sql.val(name)}::text))`

/** Whether there is a table or view of the name. */
export async function hasRelation(db: Queryable, name: string): Promise<boolean> {
  const [row] = await db.run(sql`select ${ownRelation(name)}::text as "found"`)
  return row?.found != null
}

/** The schema of Octavo's tables. @throws ConfigurationError where the search path has no schema, so that tables could not be made */
export async function ownSchema(db: Queryable): Promise<string> {
  const [row] = await db.run(sql`select current_schema()::text as "name"`)
  if (row?.name != null) return row.name
  throw new ConfigurationError(
    'The database has no schema for the tables: no schema of the search_path exists, or its user may not use it. ' +
      'Create one, or set search_path of the user, or in the URL: ?options=-c%20search_path%3Dname.',
  )
}
