import type { Pool, QueryArrayConfig } from 'pg'
import type { Bindable } from '../content-type/attribute-type.ts'
import { asText } from './engine.ts'
import { toParameter } from './parameter.ts'
import type { Row, Statement } from './store.ts'

const types = { getTypeParser: () => asText }

/** A statement as pg takes it: rows as arrays, values as the text that PostgreSQL sends. */
export const config = (text: string, values: readonly Bindable[], name?: string): QueryArrayConfig => ({
  ...(name !== undefined && { name }),
  text,
  values: values.map(toParameter),
  rowMode: 'array',
  // pg's declaration wants an overload for binary results, which we never ask for.
  types: types as never,
})

export const rowsOf = async (
  pool: Pool,
  { text, values }: Statement,
  name: string | undefined,
): Promise<readonly Row[]> => (await pool.query(config(text, values, name))).rows

export interface PoolOptions {
  readonly url: string
  readonly connections: number
  /** Time to wait for a free connection, and for a new one to open, in milliseconds. */
  readonly connectionTime: number
  /** What each connection runs first. */
  readonly settings: readonly string[]
}

/** A pool of our own, for servers that MikroORM has no business with. */
export async function openPool({ url, connections, connectionTime, settings }: PoolOptions): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: 'octavo-replica',
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: connectionTime,
    onConnect: async (client) => void (await client.query(settings.join('; '))),
  })
  // An idle connection that breaks is replaced when the next one is needed; unheard, the event would end the process.
  pool.on('error', () => {})
  return pool
}
