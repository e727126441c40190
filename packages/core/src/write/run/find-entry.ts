import type { WriteRequest } from '../../requests.ts'
import { entryLock } from '../check/entry-locks.ts'
import type { Writing } from './write-parts.ts'

/** The id of the requested entry, locked, if the caller may write it; else `undefined`. @throws the error of the precondition */
export async function findEntry(
  { type, action, id: given, state, query, precondition }: Omit<WriteRequest, 'input'>,
  { parts: { reads }, tx, rights }: Writing,
): Promise<number | undefined> {
  let id = given
  let isLocked = false
  // Locked before the reads, and in their message, so that what they say still holds at the write.
  tx.send(entryLock(type, given === undefined ? 'all' : [given], action), () => (isLocked = true))
  if (id === undefined || reads.narrows({ type, action, state })) {
    const target = id === undefined ? { query } : { query: 'fields=id', id }
    const { data } = await reads.readIn(tx, { type, action, kind: 'one', state, ...target })
    id = data === undefined ? undefined : Number((JSON.parse(data) as { id: number }).id) // PostgreSQL's text
  }
  let data = '' // hidden: a version that no ETag names
  if (precondition && id !== undefined && (await rights.mayRead(type, id, action))) {
    const read = type.kind === 'singleType' ? 'find' : 'findOne'
    data = (await reads.readIn(tx, { type, action: read, kind: 'one', query, state, id })).data ?? ''
  }
  await tx.flush()
  const found = (isLocked as boolean) ? id : undefined
  precondition?.(found === undefined ? undefined : data)
  return found
}
