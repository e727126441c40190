/** Writes of a user whose role has some rights: what it names, and how its answers may differ on purpose. */
import { type Answer, differences } from './compare.ts'
import type { Ids, Write } from './writes.ts'

/** A user on both servers. */
export interface Caller {
  readonly tokens: readonly [theirs: string, ours: string]
  /** The actions of the role. */
  readonly rights: ReadonlySet<string>
}

const mayFind = ({ rights }: Caller, uid: string): boolean =>
  rights.has(uid === 'file' ? 'plugin::upload.content-api.find' : `${uid}.find`)

/** Entries that bodies name: those that the caller may find, since Octavo refuses the rest, which the reference leaves out. */
export const findableOf = (caller: Caller, ids: Ids): Ids =>
  new Map([...ids].filter(([uid]) => mayFind(caller, uid)))

/** The differences of the answers, without those that are on purpose. */
export function differencesFor(
  caller: Caller,
  { method, uid, way }: Write,
  [theirs, ours]: readonly [Answer, Answer],
): readonly string[] {
  if (theirs.status !== ours.status || theirs.status >= 400) return differences(theirs, ours)
  // The answers of GraphQL have nulls and errors for what may not be read.
  if (way === 'mutation') return []
  // The reference answers the other locales to everybody.
  if (way === 'localization' && !mayFind(caller, uid)) return []
  // Without a right to read, the answer of an update has the id only.
  if (method !== 'POST' && !mayFind(caller, uid) && !caller.rights.has(`${uid}.findOne`))
    return differences(onlyId(theirs), onlyId(ours))
  return differences(theirs, ours)
}

const onlyId = ({ status, body }: Answer): Answer => ({
  status,
  body: { id: (body as { readonly data?: { readonly id?: number } | null }).data?.id },
})
