import { defineOwnTable, param, type Queryable, sql } from '@octavo/database'
import { problem } from '../../error/problems.ts'
import type { Repeatable } from '../../requests.ts'

/** The answers of writes that may be repeated, for a day. */
export const answersTable = defineOwnTable('octavo_answers', {
  columns: {
    key: { type: 'text' },
    content: { type: 'text' },
    /** JSON text; null until the write has its answer. */
    answer: { type: 'text', nullable: true },
    at: { type: 'timestamp', index: true },
  },
  primaryKey: 'key',
})

const answers = sql.id(answersTable.table)

/** One write in this many removes old answers, up to a thousand. */
const purgeEvery = 100

/**
 * Takes the key of a write in its transaction. A concurrent write with the same key is waited for.
 * @returns the answer of an earlier write with the key; `undefined`: this is the first
 * @throws OctavoError 422 `entry/key-reused` when the earlier write had another content
 */
export async function claim(tx: Queryable, { key, content }: Repeatable): Promise<string | undefined> {
  const name = param(key, 'text')
  if (Math.random() * purgeEvery < 1)
    await tx.run(
      sql`delete from ${answers} where key in (select key from ${answers} where at < now() - interval '1 day' limit 1000 for update skip locked)`,
    )
  const [claimed] = await tx.run(
    sql`insert into ${answers} as "former" (key, content, at) values (${name}, ${param(content, 'text')}, now()) on conflict (key) do update set content = excluded.content, answer = null, at = excluded.at where "former".at < now() - interval '1 day' returning key`,
  )
  if (claimed) return undefined
  return storedAnswer(tx, { key, content })
}

/**
 * The answer of an earlier write with the key; `undefined`: there is none.
 * @throws OctavoError 422 `entry/key-reused` when the earlier write had another content
 */
export async function storedAnswer(db: Queryable, { key, content }: Repeatable): Promise<string | undefined> {
  const [former] = await db.run(
    sql`select content, answer from ${answers} where key = ${param(key, 'text')} and at >= now() - interval '1 day'`,
  )
  if (!former) return undefined
  if (former.content !== content || former.answer == null) throw problem('entry/key-reused')
  return former.answer
}

/** Stores the answer of a write whose key is claimed. */
export async function keep(tx: Queryable, { key }: Repeatable, answer: string): Promise<void> {
  await tx.run(sql`update ${answers} set answer = ${param(answer, 'text')} where key = ${param(key, 'text')}`)
}
