import type { Model, Registry, RelationAttribute } from '@octavo/core/plugin'
import { hasDrafts } from '../model/automatic.ts'
import { morphSides } from '../model/morph-sides.ts'
import { fileUid, isEntryType, isTaken, localeUid, permissionUid, roleUid } from '../model/uids.ts'
import type { SmallRows } from '../plan/scan.ts'
import type { LinkRecord } from '../records.ts'
import { Scratch } from '../scratch/scratch.ts'
import type { Source } from '../source/source.ts'
import { canonicalRow } from './canonical.ts'
import { type SideFigures, Tally } from './tally.ts'

/** Facts about the source from its first reading. */
export interface SourceFacts {
  readonly small: SmallRows
  /** The locale of entries without one. */
  readonly defaultLocale: string
  readonly roleOf: ReadonlyMap<number, number>
  /** Entries that are not imported. */
  isInvalid(type: string, id: number): boolean
  /** Whether an entry has the id of an earlier one. */
  repeats(): (type: string, id: number) => boolean
  /** Pairs of localizations, in repaired groups or in complete ones. */
  siblings(): Iterable<readonly [type: string, id: number, sibling: number]>
}

const tables = `
  create table present (type integer, id integer, primary key (type, id)) without rowid;
  create table pair (seq integer primary key,
    left_attr integer, left_type integer, left_id integer, left_pos real, left_one integer,
    right_attr integer, right_type integer, right_id integer, right_pos real, right_one integer);`

/**
 * Counts and checksums of a source, from its records. It shares only the canonical form of values and the ends of polymorphic
 * links with the import, and reads each link from both of its ends.
 */
export async function sourceFigures(
  source: Source,
  registry: Registry,
  facts: SourceFacts,
): Promise<ReadonlyMap<string, SideFigures>> {
  const scratch = new Scratch(tables)
  try {
    const tally = new Tally()
    const ends = new LinkEnds(scratch, registry)
    const isRepeat = facts.repeats()
    for await (const batch of source.entities()) {
      scratch.batch(() => {
        for (const { type: uid, id, data } of batch) {
          const type = registry.contentTypes.get(uid)
          if (!type || facts.isInvalid(uid, id) || isRepeat(uid, id)) continue
          ends.present(uid, id)
          if (!isEntryType(uid)) continue
          // An entry from before its type was localized, or could be published.
          const values = {
            ...data,
            ...(hasDrafts(type) &&
              type.attributes.has('publishedAt') &&
              !('publishedAt' in data) && { publishedAt: data.createdAt }),
            ...(type.attributes.has('localizations') && { locale: data.locale ?? facts.defaultLocale }),
          }
          tally.row(uid, canonicalRow(type, id, values, registry))
          ends.presentComponents(type, data)
        }
      })
    }
    ownRows(tally, facts)
    for await (const batch of source.links())
      scratch.batch(() => {
        for (const link of batch) ends.add(link)
      })
    ends.count(tally)
    for (const [type, id, sibling] of facts.siblings()) tally.link(type, 'localizations', id, 0, sibling)
    return tally.figures()
  } finally {
    scratch.close()
  }
}

function ownRows(tally: Tally, { small, roleOf }: SourceFacts): void {
  for (const { id, data } of small.roles) tally.row(roleUid, `${id} ${data.name} ${data.description ?? ''}`)
  for (const { id, data } of small.locales) tally.row(localeUid, `${id} ${data.code} ${data.name}`)
  const roles = new Set(small.roles.map(({ id }) => id))
  const permissions = small.permissions
    .filter(({ id }) => roles.has(roleOf.get(id) ?? 0))
    .map(({ id, data }) => `${roleOf.get(id)} ${data.action}`)
  for (const text of new Set(permissions)) tally.row(permissionUid, text)
}

/** The links of a source, by their ends. */
class LinkEnds {
  readonly #scratch: Scratch
  readonly #registry: Registry
  readonly #attributes = new Map<number, RelationAttribute | undefined>()

  constructor(scratch: Scratch, registry: Registry) {
    this.#scratch = scratch
    this.#registry = registry
  }

  present(uid: string, id: number): void {
    this.#scratch.run('insert or ignore into present values (?, ?)', this.#scratch.number(uid), id)
  }

  presentComponents(model: Model, data: Readonly<Record<string, unknown>>): void {
    for (const attribute of model.attributes.values()) {
      if (attribute.kind !== 'component' && attribute.kind !== 'zone') continue
      const items = [data[attribute.name] ?? []].flat() as unknown as readonly Record<string, unknown>[] // an export has objects here
      for (const item of items) {
        const uid = attribute.kind === 'component' ? attribute.component : String(item?.__component)
        const component = this.#registry.components.get(uid)
        if (!component || typeof item?.id !== 'number') continue
        this.present(uid, item.id)
        this.presentComponents(component, item)
      }
    }
  }

  add(link: LinkRecord): void {
    const { left, right } = link
    const model = this.#model(left.type)
    const isMorph = model?.morphs.has(left.field) === true
    // The definitions know the inverse of a relation; its name in the source may be an older one.
    const [back] = isMorph ? morphSides(model, link) : [this.#inverse(left, right.field)]
    const b = this.#end(right.type, back)
    // A polymorphic link is in the list of one end.
    const a = isMorph && b !== undefined ? undefined : this.#end(left.type, left.field)
    if (a === undefined && b === undefined) return
    const position = (isMorph ? right.pos : left.pos) ?? null
    const values = [
      ...[a ?? null, this.#scratch.number(left.type), left.ref, position, this.#isOne(a)],
      ...[b ?? null, this.#scratch.number(right.type), right.ref, right.pos ?? null, this.#isOne(b)],
    ]
    // Where both sides are defined as the owner, a link and its mirror are the same link.
    this.#scratch.run(
      `insert into pair (left_attr, left_type, left_id, left_pos, left_one, right_attr, right_type, right_id, right_pos, right_one)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...(this.#isMirror(left.type, left.field) ? [...values.slice(5), ...values.slice(0, 5)] : values),
    )
  }

  /** @param field The attribute that the link names at its other end, which counts for files. */
  #inverse({ type, field: name }: LinkRecord['left'], field: string | undefined): string | undefined {
    if (type === fileUid) return field
    const attribute = this.#model(type)?.attributes.get(name)
    return attribute?.kind === 'relation' ? attribute.inverse : undefined
  }

  #isMirror(uid: string, field: string): boolean {
    const attribute = this.#model(uid)?.attributes.get(field)
    return attribute?.kind === 'relation' && attribute.definition.mappedBy !== undefined
  }

  /** The number of an attribute that the definitions have and that is compared as a list. */
  #end(uid: string, field: string | undefined): number | undefined {
    if (field === undefined || field === 'localizations') return undefined
    if (!isEntryType(uid) || isTaken(uid, field)) return undefined
    const model = this.#model(uid)
    const attribute = model?.attributes.get(field)
    const morph = model?.morphs.has(field) === true
    if (attribute?.kind !== 'relation' && !morph) return undefined
    const number = this.#scratch.number(`${uid} ${field}`)
    this.#attributes.set(number, attribute?.kind === 'relation' ? attribute : undefined)
    return number
  }

  #model(uid: string): Model | undefined {
    return this.#registry.contentTypes.get(uid) ?? this.#registry.components.get(uid)
  }

  #isOne(number: number | undefined): number {
    const attribute = number === undefined ? undefined : this.#attributes.get(number)
    return attribute && !attribute.many ? 1 : 0
  }

  count(tally: Tally): void {
    this.#removeSurplus()
    for (const [number, attribute] of this.#attributes) {
      for (const side of ['left', 'right'] as const) this.#countSide(tally, number, attribute, side)
    }
  }

  #removeSurplus(): void {
    const isMissing = (side: string): string =>
      `not exists (select 1 from present p where p.type = ${side}_type and p.id = ${side}_id)`
    this.#scratch.run(`delete from pair where ${isMissing('left')} or ${isMissing('right')}`)
    // Media may be in a list twice, other entries may not.
    const twins = 'left_attr, right_attr, left_type, left_id, right_type, right_id'
    this.#scratch.run(
      `delete from pair where seq in (select seq from (select seq, row_number() over (partition by ${twins}, case when left_attr is null then right_pos end order by seq) as n from pair) where n > 1)`,
    )
    for (const [side, order] of [
      ['left', 'seq'],
      [
        'right',
        'case when left_attr is null then right_pos is null end, case when left_attr is null then right_pos end, seq',
      ],
    ]) {
      this.#scratch.run(
        `delete from pair where seq in (select seq from (select seq, row_number() over (partition by ${side}_attr, ${side}_id order by ${order}) as n from pair where ${side}_one = 1) where n > 1)`,
      )
    }
  }

  #countSide(
    tally: Tally,
    number: number,
    attribute: RelationAttribute | undefined,
    side: 'left' | 'right',
  ): void {
    const other = side === 'left' ? 'right' : 'left'
    const rows = this.#scratch.iterate(
      `select ${side}_id as owner, row_number() over (partition by ${side}_id order by ${side}_pos is null, ${side}_pos, seq) as rank, ${other}_type as target_type, ${other}_id as target
       from pair where ${side}_attr = ?`,
      number,
    )
    const [uid = '', name = ''] = this.#scratch.name(number).split(' ')
    for (const { owner, rank, target_type, target } of rows) {
      const text = attribute ? Number(target) : `${this.#scratch.name(target_type)} ${target}`
      tally.link(uid, name, Number(owner), Number(rank), text)
    }
  }
}
