import type { ContentTypeDraft, Draft } from '../draft/drafts.ts'
import type { RelationStorage } from '../model.ts'
import { joinColumns, joinTableOf, keyColumns } from '../storage/storage-names.ts'

export type Kind = 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'

/** The side of the relation: one-way, the owner (`inversedBy`) or the inverse (`mappedBy`) of `other`. */
export type Side =
  | { readonly kind: 'alone'; readonly other: undefined }
  | { readonly kind: 'owner' | 'inverse'; readonly other: string }

/** The storages of relations between content-types; attribute types of plugins have the others. */
type StorageKind = Exclude<RelationStorage['kind'], 'link' | 'siblings'>

function storageKindOf(kind: Kind, isInverse: boolean): StorageKind {
  if (kind === 'manyToMany' || (kind === 'oneToMany' && !isInverse)) return 'join'
  return isInverse ? 'foreign' : 'own'
}

/** The names of the table and columns of a relation, the same for both sides. */
export function storageOf(
  draft: Draft,
  name: string,
  kind: Kind,
  target: ContentTypeDraft,
  side: Side,
): RelationStorage {
  const inverse = side.kind === 'inverse' ? side.other : undefined
  switch (storageKindOf(kind, inverse !== undefined)) {
    case 'own':
      return ownKey(keyColumns(draft, name), kind === 'manyToOne' && side.kind === 'owner', 'own')
    case 'foreign':
      return ownKey(keyColumns(target, inverse ?? name), kind === 'oneToMany', 'foreign')
    case 'join':
      if (inverse !== undefined) return joinSeenFromInverse(target, inverse)
      return {
        kind: 'join',
        table: joinTableOf(draft.table, name),
        own: joinColumns.owner,
        target: joinColumns.target,
        position: joinColumns.position,
        inversePosition: side.kind === 'owner' ? joinColumns.inversePosition : undefined,
        owner: true,
      }
  }
}

const joinSeenFromInverse = (owner: Draft, attribute: string): RelationStorage => ({
  kind: 'join',
  table: joinTableOf(owner.table, attribute),
  own: joinColumns.target,
  target: joinColumns.owner,
  position: joinColumns.inversePosition,
  inversePosition: joinColumns.position,
  owner: false,
})

/** @param columns The columns of the owning side. @param ordered Whether the other side is a list. */
const ownKey = (
  { column, position }: ReturnType<typeof keyColumns>,
  ordered: boolean,
  kind: 'own' | 'foreign',
): RelationStorage => ({ kind, column, position: ordered ? position : undefined })
