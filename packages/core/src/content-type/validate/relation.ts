import type { AttributeDefinition } from '../definition/definition.ts'
import type { ContentTypeDraft, Draft } from '../draft/drafts.ts'
import { isGiven } from '../draft/given.ts'
import { show } from '../draft/names.ts'
import type { RelationAttribute } from '../model.ts'
import { didYouMean, hintOf, meantUid } from '../nearest.ts'
import { buildMorphSide, isMorphSide, morphKinds } from './morph.ts'
import { type Kind, type Side, storageOf } from './relation-storage.ts'

/** The kind of the other side of a two-way relation, and which side may own it. */
const kinds = {
  oneToOne: { opposite: 'oneToOne', many: false, owner: true, inverse: true },
  oneToMany: { opposite: 'manyToOne', many: true, owner: false, inverse: true },
  manyToOne: { opposite: 'oneToMany', many: false, owner: true, inverse: false },
  manyToMany: { opposite: 'manyToMany', many: true, owner: true, inverse: true },
} as const satisfies Record<Kind, object>

const isKind = (kind: unknown): kind is Kind => typeof kind === 'string' && Object.hasOwn(kinds, kind)

/** Called for relations that the reference server starts with, although their two sides do not fit. */
export interface UnevenRelations {
  /** The owner of an inverse side is missing, so the inverse side is left out: it never had rows. */
  readonly dangling: (draft: Draft, name: string, missing: string) => void
  /** The other side leads back to another attribute, so the relation is one-way. */
  readonly crowded: (draft: Draft, name: string, other: string, winner: string) => void
  /** The target belongs to the administration of the reference server, which has no entries here, so the relation is left out. */
  readonly administrative: (draft: Draft, name: string, target: string) => void
}

/**
 * Resolves a `relation` attribute; `undefined`, with a mistake, when it is invalid, and without one when `uneven.dangling`
 * or `uneven.administrative` was called.
 */
export function buildRelation(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  contentTypes: ReadonlyMap<string, ContentTypeDraft>,
  uneven: UnevenRelations,
): RelationAttribute | undefined {
  const path = ['attributes', name]
  const kind = definition.relation
  if (typeof definition.target === 'string' && definition.target.startsWith('admin::')) {
    uneven.administrative(draft, name, definition.target)
    return undefined
  }
  const target = targetOf(draft, path, definition.target, contentTypes)
  if (isMorphSide(definition)) return target && buildMorphSide(draft, name, definition, target)
  if (!isKind(kind)) {
    draft.report([...path, 'relation'], kindMistake(kind))
    return undefined
  }
  if (!target) return undefined
  const canBeInverse = kinds[kind].inverse && draft.kind !== 'component'
  const missing = canBeInverse ? missingOwner(definition, target) : undefined
  if (missing !== undefined) {
    uneven.dangling(draft, name, missing)
    return undefined
  }
  const winner = rivalOf(draft, name, definition, target)
  if (winner !== undefined)
    uneven.crowded(draft, name, `${target.uid}.${String(definition.inversedBy)}`, winner)
  const side = winner === undefined ? sideOf(draft, name, definition, kind, target) : alone
  if (!side) return undefined
  return {
    kind: 'relation',
    typeName: 'relation',
    name,
    definition,
    private: definition.private === true,
    target: target.uid,
    many: kinds[kind].many,
    // A one-way relation may share its target, as in the reference: the other side has no owner.
    exclusive: side.other !== undefined && (kind === 'oneToOne' || kind === 'oneToMany'),
    inverse: side.other,
    storage: storageOf(draft, name, kind, target, side),
    filterable: true,
    empty: 'list',
    part: false,
  }
}

/** The mistake in a `mappedBy` that is not an attribute of the target. */
function missingOwner(
  { inversedBy, mappedBy }: AttributeDefinition,
  target: ContentTypeDraft,
): string | undefined {
  if (typeof mappedBy !== 'string' || isGiven(inversedBy) || target.attributes.has(mappedBy)) return undefined
  return `${target.uid} has no attribute ${show(mappedBy)}${didYouMean(mappedBy, target.attributes.keys())}`
}

/**
 * Finds another attribute with the same `inversedBy` to which the other side leads back. That attribute and the other side are the relation.
 * The reference server starts with such attributes, and treats each further one as a relation of its own.
 */
function rivalOf(
  draft: Draft,
  name: string,
  { inversedBy, mappedBy }: AttributeDefinition,
  target: ContentTypeDraft,
): string | undefined {
  if (typeof inversedBy !== 'string' || isGiven(mappedBy)) return undefined
  const counterpart = target.attributes.get(inversedBy)
  const back = counterpart?.mappedBy
  if (counterpart?.target !== draft.uid || typeof back !== 'string' || back === name) return undefined
  const rival = draft.attributes.get(back)
  const isOwner = rival?.inversedBy === inversedBy && rival.target === target.uid
  return isOwner && isKind(rival.relation) && kinds[rival.relation].opposite === counterpart.relation
    ? back
    : undefined
}

function kindMistake(kind: unknown): string {
  const known = [...Object.keys(kinds), ...morphKinds]
  if (kind === undefined) return `is missing; it is one of ${known.join(', ')}`
  return `there is no kind of relation ${show(kind)}; there are ${known.join(', ')}${typeof kind === 'string' ? didYouMean(kind, known) : ''}`
}

function targetOf(
  draft: Draft,
  path: readonly string[],
  target: unknown,
  contentTypes: ReadonlyMap<string, ContentTypeDraft>,
): ContentTypeDraft | undefined {
  const found = typeof target === 'string' ? contentTypes.get(target) : undefined
  if (found) return found
  if (typeof target !== 'string') {
    draft.report(
      [...path, 'target'],
      target === undefined
        ? 'is missing; it is the uid of a content-type, such as api::author.author'
        : `must be the uid of a content-type, not ${show(target)}`,
    )
  } else {
    const plugin = /^plugin::([a-z0-9-]+)\./.exec(target)?.[1]
    const hint =
      plugin === undefined
        ? hintOf(meantUid(target, contentTypes))
        : didYouMean(
            target,
            contentTypes.keys(),
            `; it comes with the plugin ${plugin}, which is not present`,
          )
    draft.report([...path, 'target'], `there is no content-type ${show(target)}${hint}`)
  }
  return undefined
}

const alone: Side = { kind: 'alone', other: undefined }

function sideOf(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  kind: Kind,
  target: ContentTypeDraft,
): Side | undefined {
  const path = ['attributes', name]
  const { inversedBy, mappedBy } = definition
  if (!isGiven(inversedBy) && !isGiven(mappedBy)) return alone
  const key = isGiven(inversedBy) ? 'inversedBy' : 'mappedBy'
  const other = definition[key]
  if (isGiven(inversedBy) && isGiven(mappedBy)) {
    draft.report(
      [...path, 'mappedBy'],
      'is given together with inversedBy; the owning side has inversedBy, the other side mappedBy',
    )
    return undefined
  }
  if (draft.kind === 'component') {
    draft.report(
      [...path, key],
      'a relation in a component is one-way: a component is a part of many entries, and none can lead back to it',
    )
    return undefined
  }
  if (typeof other !== 'string') {
    draft.report([...path, key], `must be the name of an attribute of ${target.uid}, not ${show(other)}`)
    return undefined
  }
  if (key === 'inversedBy' ? !kinds[kind].owner : !kinds[kind].inverse) {
    draft.report(
      [...path, key],
      key === 'inversedBy'
        ? `a ${kind} relation never owns the key; use mappedBy`
        : `a ${kind} relation always owns the key; use inversedBy`,
    )
    return undefined
  }
  return checkCounterpart(draft, name, kind, target, key, other)
    ? { kind: key === 'inversedBy' ? 'owner' : 'inverse', other }
    : undefined
}

/**
 * Reports each contradiction of the two sides once: the owner reports kind and target, each side a missing reference, and the later one of two
 * owners, or of two inverse sides, that there are two.
 */
function checkCounterpart(
  draft: Draft,
  name: string,
  kind: Kind,
  target: ContentTypeDraft,
  key: 'inversedBy' | 'mappedBy',
  other: string,
): boolean {
  const path = ['attributes', name, key]
  const back = key === 'inversedBy' ? 'mappedBy' : 'inversedBy'
  const { opposite } = kinds[kind]
  const expected = `{ "type": "relation", "relation": "${opposite}", "target": "${draft.uid}", "${back}": "${name}" }`
  const counterpart = target.attributes.get(other)
  if (!counterpart) {
    draft.report(
      path,
      `${target.uid} has no attribute ${show(other)}${didYouMean(other, target.attributes.keys())}; there it would be ${expected}`,
    )
    return false
  }
  const [own, theirs] = [`${draft.uid} ${name}`, `${target.uid} ${other}`]
  const leadsHere = counterpart.type === 'relation' && counterpart.target === draft.uid
  if (own !== theirs && leadsHere && counterpart[key] === name && counterpart.relation === kind) {
    // The message is of one side, the one that the import of a project changes: with both changed they would contradict each other again.
    const mended = `{ "type": "relation", "relation": "${opposite}", "target": "${target.uid}", "${back}": "${other}" }`
    if (own > theirs)
      draft.report(
        path,
        `${target.uid}.${other} has "${key}": "${name}" as well; this side would be ${mended}, and that one stays`,
      )
    return false
  }
  if (counterpart.type !== 'relation' || counterpart[back] !== name || counterpart[key] === name) {
    draft.report(
      path,
      `${target.uid}.${other} does not lead back with "${back}": "${name}"; there it would be ${expected}`,
    )
    return false
  }
  if (counterpart.relation === opposite && counterpart.target === draft.uid) return true
  if (key === 'inversedBy') {
    draft.report(
      path,
      `${target.uid}.${other} is ${show(counterpart.relation)} to ${show(counterpart.target)}, and the other side of this one would be ${expected}`,
    )
  }
  return false
}
