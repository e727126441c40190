import { defineOwnTable, param, type Queryable, sql } from '@octavo/database'
import { problem } from '../error/problems.ts'
import type { Repeatable } from '../requests.ts'

/** The answers of writes that may be repeated, for a day. */
export const answersTable = defineOwnTable('octavo_answers', {
  columns: {
    key: { type: 'text' },
    content: { type: 'text' },
    /** JSON text; null until the write has its answer, and for a long one. */
    answer: { type: 'text', nullable: true },
    at: { type: 'timestamp', index: true },
  },
  primaryKey: 'key',
})

const answers = sql.id(answersTable.table)

/**
 * Bytes of a stored answer, at most: as many as a body has by default. A small write may answer with many entries, and would fill the disk
 * with little effort, with a new key each time.
 */
const longest = 1_048_576

/** One write in this many removes old answers, up to a thousand. */
const purgeEvery = 100

/**
 * Runs `work` once for a key in its transaction, and gives the text that it had to every later call with the key. A concurrent call with
 * the same key is waited for; `undefined` and a text of more than 1 MiB are not stored.
 * @throws OctavoError 422 `entry/key-reused` when the earlier call had another content, `entry/answer-not-stored` when its text was not stored
 */
export async function once<T extends string | undefined>(
  tx: Queryable,
  { key, content }: Repeatable,
  work: () => Promise<T>,
): Promise<{ readonly answer: T | string; readonly isRepeated: boolean }> {
  const name = param(key, 'text')
  if (Math.random() * purgeEvery < 1)
    await tx.run(
      sql`delete from ${answers} where key in (select key from ${answers} where at < now() - interval '1 day' limit 1000 for update skip locked)`,
    )
  const [claimed] = await tx.run(
    sql`insert into ${answers} as "former" (key, content, at) values (${name}, ${param(content, 'text')}, now()) on conflict (key) do update set content = excluded.content, answer = null, at = excluded.at where "former".at < now() - interval '1 day' returning key`,
  )
  const former = claimed ? undefined : await storedAnswer(tx, { key, content })
  if (former !== undefined) return { answer: former, isRepeated: true }
  const answer = await work()
  if (answer !== undefined && Buffer.byteLength(answer) <= longest)
    await tx.run(sql`update ${answers} set answer = ${param(answer, 'text')} where key = ${name}`)
  return { answer, isRepeated: false }
}

/**
 * The answer of an earlier write with the key; `undefined` without one.
 * @throws OctavoError 422 `entry/key-reused` when the earlier write had another content, `entry/answer-not-stored` when its answer was not stored
 */
export async function storedAnswer(db: Queryable, { key, content }: Repeatable): Promise<string | undefined> {
  const [former] = await db.run(
    sql`select content, answer from ${answers} where key = ${param(key, 'text')} and at >= now() - interval '1 day'`,
  )
  if (!former) return undefined
  if (former.content !== content) throw problem('entry/key-reused')
  if (former.answer == null) throw problem('entry/answer-not-stored')
  return former.answer
}
