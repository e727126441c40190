import { type ContentType, type Octavo, OctavoError, type RequestState, withDeleted } from '@octavo/core'
import type {} from '@octavo/server'
import type { Change } from './feed.ts'

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
      const ids = await readable(octavo, type, state, among, query)
      for (const change of among) if (ids.has(change.entry)) visible.add(change)
    }
    for (const change of await visibleDeletes(octavo, type, state, of('deleted'))) visible.add(change)
  }
  return changes.filter((change) => visible.has(change))
}

async function visibleDeletes(
  octavo: Octavo,
  type: ContentType,
  caller: RequestState,
  deleted: readonly Change[],
): Promise<readonly Change[]> {
  if (deleted.length === 0) return []
  const state = withDeleted.with(true, caller)
  if (await readsAll(octavo, type, state)) return deleted
  const ids = await readable(octavo, type, state, deleted, '&publicationState=preview')
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

/** Only ids, in every locale. Parameters of plugins that are not there are ignored. */
const idsQuery = 'fields[0]=id&locale=all&pagination[withCount]=false'

async function readable(
  octavo: Octavo,
  type: ContentType,
  state: RequestState,
  changes: readonly Change[],
  query: string,
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(changes.map(({ entry }) => entry))]
  if (ids.length === 0) return new Set()
  const named = ids.map((id, i) => `&filters[id][$in][${i}]=${id}`).join('')
  const page = `&pagination[pageSize]=${ids.length}`
  const request = { type, action: 'find', kind: 'list', state, maxLimit: ids.length } as const
  try {
    const { data = '[]' } = await octavo.read({ ...request, query: `${idsQuery}${query}${page}${named}` })
    // PostgreSQL's JSON of the entries.
    return new Set((JSON.parse(data) as readonly { readonly id: number }[]).map(({ id }) => id))
  } catch (error) {
    // A plugin forbids every entry of the type.
    if (error instanceof OctavoError && error.status === 403) return new Set()
    throw error
  }
}

/** Whether no plugin narrows what the caller reads of a content-type. */
async function readsAll(octavo: Octavo, type: ContentType, state: RequestState): Promise<boolean> {
  const query = `${idsQuery}&publicationState=preview&filters[id][$eq]=0`
  const { pruned, refused } = await octavo.explain({ type, action: 'find', kind: 'list', query, state })
  return !refused && !pruned.some(({ kind }) => kind === 'narrowed' || kind === 'forbidden')
}
