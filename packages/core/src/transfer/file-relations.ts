import type { Transaction } from '@octavo/database'
import type { ContentType, Registry, RelationAttribute } from '../content-type/model.ts'
import { isId } from '../id.ts'
import { brief } from '../kinds-of-values.ts'
import { relationsOf } from '../schema/tables/tables.ts'
import { ExclusiveLinks } from './exclusive-links.ts'
import type { FileIndex } from './file-index.ts'
import { describe, idOf, type Place, type RowContext } from './import-place.ts'
import type { Link, LinkReader } from './link-rows.ts'
import type { ImportMistakes } from './mistakes.ts'
import { numbered } from './outline.ts'
import { SiblingGroups } from './sibling-groups.ts'

/** A reference to an owner from the inverse side of a relation. */
interface Claim {
  readonly target: number
  /** Position in the other side's list, from 1. */
  readonly position: number
}

/** The values that a data file has for the inverse attribute of a relation. */
interface Claims {
  /** References by the id of the owner. */
  readonly byOwner: ReadonlyMap<number, readonly Claim[]>
  /** The ids of the entries that have a value there, which may be an empty list or null. */
  readonly given: ReadonlySet<number>
}

/** The relations of a data file: merges both sides of each and reports where they disagree. */
export class FileRelations implements LinkReader {
  readonly #file: FileIndex
  readonly #registry: Registry
  readonly #mistakes: ImportMistakes
  /** References from the other sides, by the relations of the current content-type. */
  #claims: ReadonlyMap<string, Claims> = new Map()
  readonly #groups: SiblingGroups
  readonly #exclusive: ExclusiveLinks

  constructor(file: FileIndex, registry: Registry, mistakes: ImportMistakes) {
    this.#file = file
    this.#registry = registry
    this.#mistakes = mistakes
    this.#groups = new SiblingGroups(file, mistakes)
    this.#exclusive = new ExclusiveLinks(file, mistakes)
  }

  /** Reads the references from the other sides to the entries of a content-type, before these are written. */
  async startType(type: ContentType, tx: Transaction): Promise<void> {
    await this.#groups.startType(type, tx)
    await this.#exclusive.startType(type, tx)
    const claims = new Map<string, Claims>()
    for (const relation of relationsOf(type)) {
      if (isOwner(relation) && relation.inverse)
        claims.set(relation.name, this.#claimsOf(relation, relation.inverse))
    }
    this.#claims = claims
  }

  /** Reports references to entries of the content-type that are not in the file. */
  endType(type: ContentType): void {
    for (const [name, claims] of this.#claims) {
      const relation = type.attributes.get(name) as RelationAttribute // the keys are names of relations
      for (const [owner, [claim]] of claims.byOwner) {
        if (this.#file.has(type.uid, owner) || !claim) continue
        const place = this.#file.placeOf(relation.target, claim.target)
        this.#mistakes.add(
          `${place}, attributes "${relation.inverse}": there is no ${type.uid} with id ${owner} in the file.`,
        )
      }
    }
  }

  #claimsOf(relation: RelationAttribute, inverse: string): Claims {
    const byOwner = new Map<number, Claim[]>()
    const given = new Set<number>()
    const target = this.#registry.contentType(relation.target)
    const attribute = target.attributes.get(inverse)
    if (attribute?.kind !== 'relation') return { byOwner, given }
    for (const [index, entry] of numbered(this.#file.list(target.uid))) {
      const id = idOf(entry)
      const value = id === undefined ? undefined : entry[inverse]
      if (id === undefined || value === undefined) continue
      given.add(id)
      const owners = this.#readIds(value, attribute.many, { type: target, index, id }, inverse)
      owners.forEach((owner, i) => {
        const claim: Claim = { target: id, position: i + 1 }
        const known = byOwner.get(owner)
        if (known) known.push(claim)
        else byOwner.set(owner, [claim])
      })
    }
    return { byOwner, given }
  }

  /** @returns targets in the owner's order, with their position on the other side. */
  read(relation: RelationAttribute, given: unknown, row: RowContext, name: string): readonly Link[] {
    // Relations of components are one-way.
    const other = row.path === '' ? this.#claims.get(relation.name) : undefined
    const claims = new Map(other?.byOwner.get(row.id)?.map((claim) => [claim.target, claim.position]))
    const targets =
      given === undefined
        ? this.#claimedTargets(relation, claims, row)
        : this.#agreedTargets(
            relation,
            this.#readIds(given, relation.many, row.place, name),
            claims,
            other?.given,
            row,
            name,
          )
    return targets.map((target) => ({ target, position: claims.get(target) ?? null }))
  }

  /** The targets of a relation that only the other side has. */
  #claimedTargets(
    relation: RelationAttribute,
    claims: ReadonlyMap<number, number>,
    { id }: RowContext,
  ): readonly number[] {
    const targets = [...claims.keys()].sort((a, b) => a - b)
    if (!relation.many && targets.length > 1) {
      const [one, other] = targets.map((target) => this.#file.placeOf(relation.target, target))
      this.#mistakes.add(
        `${one} and ${other}, attributes "${relation.inverse}": both name ${id}, which can have only one.`,
      )
    }
    return targets
  }

  /** The targets of the owner, compared with the references of the other side. */
  #agreedTargets(
    relation: RelationAttribute,
    targets: readonly number[],
    claims: ReadonlyMap<number, number>,
    given: ReadonlySet<number> | undefined,
    row: RowContext,
    name: string,
  ): readonly number[] {
    const { place, id } = row
    for (const target of new Set(targets)) {
      if (!given?.has(target)) this.#exclusive.add(relation, target, row, name)
      else if (!claims.has(target)) {
        this.#mistakes.add(
          `${describe(place)}, attributes "${name}": names ${target}, but ` +
            `${this.#file.placeOf(relation.target, target)}, attributes "${relation.inverse}", does not name ${id}.`,
        )
      }
    }
    const named = new Set(targets)
    if (named.size < targets.length && relation.storage.kind !== 'link') {
      const twice = targets.find((target, i) => targets.indexOf(target) < i)
      this.#mistakes.add(`${describe(place)}, attributes "${name}": names ${twice} twice.`)
      return []
    }
    for (const target of claims.keys()) {
      if (named.has(target)) continue
      this.#mistakes.add(
        `${this.#file.placeOf(relation.target, target)}, attributes "${relation.inverse}": names ${id}, but ` +
          `${describe(place)}, attributes "${name}", does not name ${target}.`,
      )
    }
    return targets
  }

  groupKey(relation: RelationAttribute, siblings: readonly number[], place: Place): number {
    return this.#groups.keyOf(relation, siblings, place)
  }

  #readIds(value: unknown, many: boolean, place: Place, name: string): readonly number[] {
    const wrong = (expected: string): readonly number[] => {
      this.#mistakes.add(
        `${describe(place)}, attributes "${name}": expected ${expected}, not ${brief(value)}.`,
      )
      return []
    }
    if (value === null) return []
    if (!many) return isId(value) ? [value] : wrong('an id or null')
    if (!Array.isArray(value) || !value.every(isId)) return wrong('a list of ids')
    return value
  }
}

/** Whether this side owns the relation. */
const isOwner = ({ storage }: RelationAttribute): boolean =>
  storage.kind === 'own' || (storage.kind === 'join' && storage.owner)
