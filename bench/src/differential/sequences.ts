/** The next ids of two servers. */
import { Client } from 'pg'
import type { Running } from '../peers/running.ts'

/** Gives the sequences of tables the greater of their values in both databases, since a refused create uses up an id in one of them. */
export async function alignSequences(servers: readonly Running[], tables: readonly string[]): Promise<void> {
  const clients = servers.map(({ database }) => new Client(database.href))
  await Promise.all(clients.map((client) => client.connect()))
  try {
    for (const table of tables) {
      const sequence = `${table}_id_seq`
      const values = await Promise.all(
        clients.map((client) => client.query(`select last_value::int as value from ${sequence}`)),
      )
      const last = Math.max(...values.map(({ rows }) => rows[0].value))
      await Promise.all(
        clients.map((client) => client.query('select setval($1::regclass, $2)', [sequence, last])),
      )
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}
