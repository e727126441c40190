import type { AttributeType, LinkType } from '../attribute-type.ts'
import type { ContentTypeDraft } from '../draft/drafts.ts'
import { frozenMap } from '../frozen.ts'
import type { Attribute, RelationAttribute, UsesAttribute } from '../model.ts'

/**
 * The lists of entries that link to an entry of a content-type, one for each link type that leads to it and names one. An attribute of
 * the content-type with the same name takes precedence. Links of components are not part of them: a component has no rights of its
 * own under which it could be read.
 */
export function buildUses(
  target: ContentTypeDraft,
  attributes: ReadonlyMap<ContentTypeDraft, ReadonlyMap<string, Attribute>>,
  types: ReadonlyMap<string, AttributeType>,
): ReadonlyMap<string, UsesAttribute> {
  const uses = new Map<string, UsesAttribute>()
  for (const type of types.values()) {
    if (type.kind !== 'link' || type.target !== target.uid || type.usesName === undefined) continue
    const { usesName: name, table, column } = type
    if (target.attributes.has(name)) continue
    const owners = frozenMap(ownersOf(type, attributes))
    uses.set(name, Object.freeze({ kind: 'uses', name, table, column, owners }))
  }
  return uses
}

const ownersOf = (
  { table }: LinkType,
  all: ReadonlyMap<ContentTypeDraft, ReadonlyMap<string, Attribute>>,
): readonly (readonly [string, readonly RelationAttribute[]])[] =>
  [...all]
    .map(([{ uid }, attributes]) => {
      const linking = [...attributes.values()].filter(
        (attribute) =>
          attribute.kind === 'relation' &&
          attribute.storage.kind === 'link' &&
          attribute.storage.table === table &&
          !attribute.private,
      ) as readonly RelationAttribute[]
      return [uid, Object.freeze(linking)] as const
    })
    .filter(([, linking]) => linking.length > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
