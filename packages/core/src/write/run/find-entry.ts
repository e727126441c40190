import type { WriteRequest } from '../../requests.ts'
import { entryLock } from '../check/entry-locks.ts'
import type { Writing } from './write-parts.ts'

/** The id of the requested entry, locked, if the caller may write it; else `undefined`. */
export async function findEntry(
  { type, action, id, state, query }: Omit<WriteRequest, 'input'>,
  { parts: { reads }, tx }: Writing,
): Promise<number | undefined> {
  // Locked before the check, so that the result still holds at the write.
  const lock = id === undefined ? undefined : entryLock(type, [id], action)
  if (lock && !reads.narrows({ type, action, state })) return (await tx.run(lock)).length > 0 ? id : undefined
  if (lock) tx.send(lock)
  const target = id === undefined ? { query } : { query: 'fields=id', id }
  const { data } = await reads.readIn(tx, { type, action, kind: 'one', state, ...target })
  // `{"id":7,...}` is PostgreSQL's text.
  return data === undefined ? undefined : Number((JSON.parse(data) as { id: number }).id)
}
