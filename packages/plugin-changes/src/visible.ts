import { type Octavo, OctavoError, type RequestState } from '@octavo/core'
import { type ContentType, withDeleted } from '@octavo/core/plugin'
import type {} from '@octavo/server'
import type { Change } from './feed.ts'
import type { Share } from './shared-reads.ts'

/**
 * The changes that a caller may know of:
 * - created, updated, published: of entries that the caller can read with `find` now
 * - unpublished: of entries that the caller can read with `publicationState=preview`
 * - deleted: when the caller can read every entry of the content-type, since the rights on a deleted entry are unknown; and
 *   entries that remain in the database (`entry:delete`) when the caller could read them
 */
export async function visibleOf(
  octavo: Octavo,
  changes: readonly Change[],
  state: RequestState,
  share: Share,
): Promise<readonly Change[]> {
  const visible = new Set<Change>()
  for (const [uid, list] of Map.groupBy(changes, ({ type }) => type)) {
    const type = octavo.registry.contentTypes.get(uid)
    // Content-types that were removed have no readers.
    if (!type || !(await mayFind(octavo, type, state))) continue
    const of = (...kinds: readonly string[]) => list.filter(({ kind }) => kinds.includes(kind))
    const groups = [
      { among: of('created', 'updated', 'published'), query: '' },
      { among: of('unpublished'), query: '&publicationState=preview' },
    ]
    for (const { among, query } of groups) {
      const ids = await readable({ octavo, type, state, share }, among, query)
      for (const change of among) if (ids.has(change.entry)) visible.add(change)
    }
    for (const change of await visibleDeletes({ octavo, type, state, share }, of('deleted')))
      visible.add(change)
  }
  return changes.filter((change) => visible.has(change))
}

/** The entries of a content-type, for a caller. */
interface Reach {
  readonly octavo: Octavo
  readonly type: ContentType
  readonly state: RequestState
  readonly share: Share
}

async function visibleDeletes(reach: Reach, deleted: readonly Change[]): Promise<readonly Change[]> {
  if (deleted.length === 0) return []
  const all = { ...reach, state: withDeleted.with(true, reach.state) }
  if (await readsAll(all)) return deleted
  const ids = await readable(all, deleted, '&publicationState=preview')
  return deleted.filter(({ entry }) => ids.has(entry))
}

async function mayFind({ hooks }: Octavo, type: ContentType, state: RequestState): Promise<boolean> {
  if (!hooks.has('server:authorize')) return true
  try {
    await hooks.guard('server:authorize', { name: `${type.uid}.find`, type }, state)
    return true
  } catch (error) {
    if (error instanceof OctavoError) return false
    throw error
  }
}

/** Selects ids in every locale. Parameters of absent plugins are ignored. */
const idsQuery = 'fields[0]=id&locale=all&pagination[withCount]=false'

async function readable(
  { octavo, type, state, share }: Reach,
  changes: readonly Change[],
  query: string,
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(changes.map(({ entry }) => entry))]
  if (ids.length === 0) return new Set()
  const named = ids.map((id, i) => `&filters[id][$in][${i}]=${id}`).join('')
  const page = `&pagination[pageSize]=${ids.length}`
  const text = `${idsQuery}${query}${page}${named}`
  const request = {
    type,
    action: 'find',
    kind: 'list',
    query: text,
    lenient: true,
    state,
    maxLimit: ids.length,
  } as const
  const answer = await unlessForbidden(() =>
    share(`read ${octavo.answerKey(request)}`, () => octavo.read(request)),
  )
  // PostgreSQL's JSON of the entries.
  const found = JSON.parse(answer?.data ?? '[]') as readonly { readonly id: number }[]
  return new Set(found.map(({ id }) => id))
}

/** `undefined` when a plugin forbids every entry of the type. */
async function unlessForbidden<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OctavoError && error.status === 403) return undefined
    throw error
  }
}

/** Whether no plugin narrows what the caller reads of a content-type. */
async function readsAll({ octavo, type, state, share }: Reach): Promise<boolean> {
  const query = `${idsQuery}&publicationState=preview&filters[id][$eq]=0`
  const request = { type, action: 'find', kind: 'list', query, state, lenient: true } as const
  const explanation = await unlessForbidden(async () =>
    share(`explain ${octavo.answerKey(request)}`, () => octavo.explain(request)),
  )
  if (!explanation) return false
  const { pruned, refused } = explanation
  return !refused && !pruned.some(({ kind }) => kind === 'narrowed' || kind === 'forbidden')
}
