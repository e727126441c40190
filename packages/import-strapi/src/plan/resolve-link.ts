import type { Model, Registry, RelationAttribute } from '@octavo/core/plugin'
import { morphSides } from '../model/morph-sides.ts'
import { fileUid, folderUid, isTaken, permissionUid, roleUid } from '../model/uids.ts'
import type { LinkRecord } from '../records.ts'

/** A link as the list of an attribute has it: `owner`'s list `attribute` has `target` at `position`. */
export interface ResolvedLink {
  readonly kind: 'list'
  readonly model: Model
  readonly attribute: RelationAttribute
  readonly owner: number
  readonly targetType: string
  readonly target: number
  /** Orders the list of the owner. */
  readonly position: number | null
  /** Orders the list of the target, where it has one. */
  readonly inverse: number | null
  /** Other attributes in which the source shows the link. Here one has it. */
  readonly alsoIn?: readonly string[]
}

/** An item of a polymorphic relation that no attribute of the other end leads back to. */
export interface ResolvedMorph {
  readonly kind: 'morph'
  readonly model: Model
  readonly name: string
  readonly owner: number
  readonly targetType: string
  readonly target: number
  readonly position: number | null
}

/** Rows that become something else: the role of a permission, folders. */
export interface ResolvedOne {
  readonly kind: 'role' | 'folder' | 'parent'
  readonly owner: number
  readonly target: number
}

export type Resolution =
  | ResolvedLink
  | ResolvedMorph
  | ResolvedOne
  | { readonly kind: 'left out'; readonly what: string }
  | { readonly kind: 'broken'; readonly type: string; readonly id: number; readonly message: string }

/** Finds the attribute that a link belongs to, and which of its ends holds it there. */
export function resolveLink({ left, right }: LinkRecord, registry: Registry): Resolution {
  if (left.type === permissionUid && left.field === 'role' && right.type === roleUid)
    return { kind: 'role', owner: left.ref, target: right.ref }
  if (left.type === fileUid && left.field === 'folder')
    return { kind: 'folder', owner: left.ref, target: right.ref }
  if (left.type === folderUid && left.field === 'parent')
    return { kind: 'parent', owner: left.ref, target: right.ref }
  const leftModel = modelOf(registry, left.type)
  const rightModel = modelOf(registry, right.type)
  if (!leftModel) return broken(right.type, right.ref, left)
  if (!rightModel) return broken(left.type, left.ref, right, left.field)

  if (isTaken(left.type, left.field)) return { kind: 'left out', what: `${left.type}.${left.field}` }
  const attribute = leftModel.attributes.get(left.field)
  if (attribute?.kind === 'relation') {
    const list = {
      kind: 'list',
      model: leftModel,
      attribute,
      owner: left.ref,
      targetType: right.type,
      target: right.ref,
      position: left.pos ?? null,
      inverse: right.pos ?? null,
    } as const
    const back = holdsKey(attribute) ? undefined : rightModel.attributes.get(attribute.inverse ?? '')
    if (back?.kind !== 'relation') return list
    // Both sides are defined as the owner; the other one is used.
    return {
      ...list,
      model: rightModel,
      attribute: back,
      owner: right.ref,
      targetType: left.type,
      target: left.ref,
      position: list.inverse,
      inverse: list.position,
    }
  }
  return (
    polymorphic({ left, right }, leftModel, rightModel) ?? {
      kind: 'left out',
      what: `${left.type}.${left.field}`,
    }
  )
}

/** Files, and other relations whose other end may be of any type: held by the attribute that leads back, if there is one. */
function polymorphic(link: LinkRecord, leftModel: Model, rightModel: Model): Resolution | undefined {
  const { left, right } = link
  const morph = leftModel.morphs.get(left.field)
  if (left.type !== fileUid && !morph) return undefined
  const [side = '', ...others] = morph ? morphSides(leftModel, link) : [right.field ?? '']
  const back = rightModel.attributes.get(side)
  if (back?.kind === 'relation' && back.storage.kind === 'link' && back.target === left.type)
    return {
      kind: 'list',
      model: rightModel,
      attribute: back,
      owner: right.ref,
      targetType: left.type,
      target: left.ref,
      position: right.pos ?? null,
      inverse: null,
      // Strapi shows a link of a `morphToOne` in all of them, and one of a `morphToMany` where its row says.
      ...(morph?.many === false && { alsoIn: others }),
    }
  if (!morph) return { kind: 'left out', what: `${right.type}.${right.field ?? '(no field)'}` }
  return {
    kind: 'morph',
    model: leftModel,
    name: left.field,
    owner: left.ref,
    targetType: right.type,
    target: right.ref,
    position: right.pos ?? null,
  }
}

/** Whether this side of a relation has it in its rows. */
export const holdsKey = ({ storage }: RelationAttribute): boolean =>
  storage.kind !== 'foreign' && !(storage.kind === 'join' && !storage.owner)

const modelOf = (registry: Registry, uid: string): Model | undefined =>
  registry.contentTypes.get(uid) ?? registry.components.get(uid)

const broken = (
  type: string,
  id: number,
  other: { readonly type: string; readonly ref: number },
  field?: string,
): Resolution => ({
  kind: 'broken',
  type,
  id,
  message: `${field === undefined ? 'a link' : `"${field}"`} leads to ${other.type} ${other.ref}, a type that does not exist here`,
})
