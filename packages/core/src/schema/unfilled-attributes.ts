import { join, type Queryable, sql } from '@octavo/database'
import type { ContentType, Registry, ScalarAttribute } from '../content-type/model.ts'

/** Attributes without a value on purpose: a draft has no `publishedAt`. */
export const neverFilled: ReadonlySet<string> = new Set(['publishedAt', 'locale', 'createdAt', 'updatedAt'])

/** An attribute of which entries have no value, although it is required or has a default. */
export interface UnfilledAttribute {
  readonly type: ContentType
  readonly attribute: ScalarAttribute
  /** Entries without a value; of a required attribute without a default, drafts are not counted. */
  readonly entries: number
}

/**
 * The required attributes, and those with a default, that entries of content-types lack. Counts rows, one statement for each content-type
 * that has such attributes; a table or column that does not exist yet is skipped.
 */
export async function unfilledAttributes(
  db: Pick<Queryable, 'run'>,
  registry: Registry,
): Promise<readonly UnfilledAttribute[]> {
  const existing = await db.run(
    sql`select table_name || '.' || column_name as "name" from information_schema.columns where table_schema = current_schema()`,
  )
  const columns = new Set(existing.map(({ name }) => name))
  const found: UnfilledAttribute[] = []
  for (const type of registry.contentTypes.values()) {
    const attributes = filledAttributes(type).filter(({ column }) => columns.has(`${type.table}.${column}`))
    if (attributes.length === 0) continue
    const counts = attributes.map((attribute, i) => {
      const isLacking = sql`${sql.id(attribute.column)} is null${attribute.definition.default === undefined ? withoutDrafts(type, columns) : sql``}`
      return sql`count(*) filter (where ${isLacking}) as ${sql.id(`n${i}`)}`
    })
    const [row] = await db.run(sql`select ${join(counts, ', ')} from ${sql.id(type.table)}`)
    for (const [i, attribute] of attributes.entries()) {
      const entries = Number(row?.[`n${i}`])
      if (entries > 0) found.push({ type, attribute, entries })
    }
  }
  return found
}

/** The attributes of a project's content-type that are required or have a default. */
const filledAttributes = ({ uid, attributes }: ContentType): readonly ScalarAttribute[] =>
  uid.startsWith('api::')
    ? [...attributes.values()].filter(
        (attribute): attribute is ScalarAttribute =>
          attribute.kind === 'scalar' &&
          !neverFilled.has(attribute.name) &&
          (attribute.definition.required === true || attribute.definition.default !== undefined),
      )
    : []

/** A draft may lack what is required. */
function withoutDrafts({ table, attributes }: ContentType, columns: ReadonlySet<unknown>) {
  const published = attributes.get('publishedAt')
  return published?.kind === 'scalar' && columns.has(`${table}.${published.column}`)
    ? sql` and ${sql.id(published.column)} is not null`
    : sql``
}
