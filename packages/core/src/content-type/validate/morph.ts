import type { AttributeDefinition } from '../definition/definition.ts'
import type { ContentTypeDraft, Draft } from '../draft/drafts.ts'
import { isGiven } from '../draft/given.ts'
import { show } from '../draft/names.ts'
import { frozenMap } from '../frozen.ts'
import type { MorphAttribute, MorphSide, RelationAttribute } from '../model.ts'
import { didYouMean } from '../nearest.ts'
import { morphTableOf } from '../storage/storage-names.ts'

/** Polymorphic relations: `morphTo…` refers to any content-type, and `morph…` with `morphBy` is its inverse. */
export const morphKinds = ['morphToOne', 'morphToMany', 'morphOne', 'morphMany'] as const

export const isMorphTo = ({ type, relation }: AttributeDefinition): boolean =>
  type === 'relation' && (relation === 'morphToOne' || relation === 'morphToMany')

export const isMorphSide = ({ relation }: AttributeDefinition): boolean =>
  relation === 'morphOne' || relation === 'morphMany'

/** The column of a link table with the id of the entry that has the `morphTo…`. */
const column = 'target_id'

const tableOf = (draft: Draft, name: string): string => morphTableOf(draft.table, name)

/** The `morphTo…` attributes of a definition. Mistakes are reported. */
export function buildMorphs(draft: Draft, drafts: readonly Draft[]): ReadonlyMap<string, MorphAttribute> {
  const morphs = new Map<string, MorphAttribute>()
  for (const [name, definition] of draft.attributes) {
    if (!isMorphTo(definition)) continue
    const path = ['attributes', name]
    if (draft.kind === 'component') {
      draft.report(
        [...path, 'relation'],
        `a ${definition.relation} belongs to a content-type, not to a component`,
      )
      continue
    }
    if (isGiven(definition.target))
      draft.report(
        [...path, 'target'],
        `a ${definition.relation} leads to every content-type and takes no target`,
      )
    morphs.set(
      name,
      Object.freeze({
        name,
        definition,
        many: definition.relation === 'morphToMany',
        table: tableOf(draft, name),
        column,
        sides: frozenMap(sidesOf(draft, name, drafts)),
      }),
    )
  }
  return morphs
}

function sidesOf(
  target: Draft,
  morphBy: string,
  drafts: readonly Draft[],
): readonly (readonly [string, readonly MorphSide[]])[] {
  return drafts.flatMap((draft) => {
    const sides = [...draft.attributes].filter(
      ([, definition]) =>
        definition.type === 'relation' &&
        isMorphSide(definition) &&
        definition.target === target.uid &&
        definition.morphBy === morphBy,
    )
    if (sides.length === 0) return []
    return [
      [draft.uid, sides.map(([name, { relation }]) => ({ name, many: relation === 'morphMany' }))] as const,
    ]
  })
}

/** A `morphOne` or `morphMany`; `undefined`, with a mistake, when its `morphBy` is invalid. */
export function buildMorphSide(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  target: ContentTypeDraft,
): RelationAttribute | undefined {
  const { morphBy, relation } = definition
  const path = ['attributes', name, 'morphBy']
  const there = typeof morphBy === 'string' ? target.attributes.get(morphBy) : undefined
  if (typeof morphBy !== 'string' || !there || !isMorphTo(there)) {
    const morphs = [...target.attributes].filter(([, other]) => isMorphTo(other)).map(([other]) => other)
    const expected = `{ "type": "relation", "relation": "morphToOne" }`
    draft.report(
      path,
      isGiven(morphBy)
        ? `${show(morphBy)} is no morphToOne or morphToMany of ${target.uid}${didYouMean(String(morphBy), morphs, `; there it would be ${expected}`)}`
        : `is missing; it is the name of a morphToOne or morphToMany of ${target.uid}`,
    )
    return undefined
  }
  return {
    kind: 'relation',
    typeName: 'relation',
    name,
    definition,
    private: definition.private === true,
    target: target.uid,
    many: relation === 'morphMany',
    exclusive: there.relation === 'morphToOne',
    inverse: undefined,
    storage: { kind: 'link', table: tableOf(target, morphBy), target: column },
    // Source: docs/contract/filters.md#through-relations.
    filterable: false,
    empty: 'list',
    part: false,
  }
}
