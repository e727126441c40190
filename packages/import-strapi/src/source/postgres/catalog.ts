import type { Client } from 'pg'

/** The tables of the database, with the types of their columns. */
export class Catalog {
  readonly #tables: ReadonlyMap<string, ReadonlyMap<string, string>>

  private constructor(tables: ReadonlyMap<string, ReadonlyMap<string, string>>) {
    this.#tables = tables
  }

  static async read(client: Client): Promise<Catalog> {
    const { rows } = await client.query<{ table_name: string; column_name: string; data_type: string }>(
      'select table_name, column_name, data_type from information_schema.columns where table_schema = current_schema() order by table_name, ordinal_position',
    )
    const tables = new Map<string, Map<string, string>>()
    for (const { table_name, column_name, data_type } of rows) {
      const columns = tables.get(table_name) ?? new Map<string, string>()
      tables.set(table_name, columns.set(column_name, data_type))
    }
    return new Catalog(tables)
  }

  has(table: string, column?: string): boolean {
    const columns = this.#tables.get(table)
    return columns !== undefined && (column === undefined || columns.has(column))
  }

  columns(table: string): ReadonlyMap<string, string> {
    return this.#tables.get(table) ?? new Map()
  }

  tables(): readonly string[] {
    return [...this.#tables.keys()]
  }
}
