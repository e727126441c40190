import type { Registry } from '@octavo/core/plugin'
import type { LinkRecord } from '../records.ts'
import type { Scratch } from '../scratch/scratch.ts'
import type { Folders } from './folders.ts'
import type { LocalizationLinks } from './localizations.ts'
import type { Problems } from './problem.ts'
import { type ResolvedLink, type ResolvedMorph, type ResolvedOne, resolveLink } from './resolve-link.ts'

export const linkTables = `
  create table raw (attr integer, seq integer, owner integer, target_type integer, target integer, pos real, inv real, primary key (attr, seq)) without rowid;
  create table localization (owner integer, target integer, primary key (owner, target)) without rowid;
  create table related (attr integer, owner integer, rank integer, target_type integer, target integer, inv integer, primary key (attr, owner, rank)) without rowid;`

/** The attribute that links belong to. */
interface LinkAttribute {
  readonly number: number
  /** Uid of the model that has the attribute. */
  readonly owner: string
  readonly name: string
  readonly one: boolean
  /** A target is in one list only. */
  readonly exclusive: boolean
  /** Files may be in a list more than once. */
  readonly repeats: boolean
  readonly siblings: boolean
}

/** The links of a source as ordered lists, without repeated and dangling ones. */
export class Links {
  readonly #scratch: Scratch
  readonly #registry: Registry
  readonly #problems: Problems
  readonly #attributes = new Map<string, LinkAttribute>()
  /** Ids of roles by the id of a permission. */
  readonly roles = new Map<number, number>()
  /** Attributes that the definitions do not have, with the number of their links. */
  readonly leftOut = new Map<string, number>()
  /** Links that repeat another one, or are more than a to-one relation takes; by attribute. */
  readonly repeated = new Map<string, number>()
  readonly #folders: Folders
  #count = 0

  constructor(scratch: Scratch, registry: Registry, problems: Problems, folders: Folders) {
    this.#scratch = scratch
    this.#registry = registry
    this.#problems = problems
    this.#folders = folders
  }

  add(batch: readonly LinkRecord[]): void {
    this.#scratch.batch(() => {
      for (const record of batch) this.#add(record)
    })
  }

  #add(record: LinkRecord): void {
    const found = resolveLink(record, this.#registry)
    switch (found.kind) {
      case 'role':
      case 'folder':
      case 'parent':
        if (!this.#addOne(found)) countOne(this.repeated, `${record.left.type}.${record.left.field}`)
        return
      case 'left out':
        countOne(this.leftOut, found.what)
        return
      case 'broken':
        this.#problems.add({ ...found, kind: 'dangling link' })
        return
      case 'list':
        for (const name of found.alsoIn ?? []) countOne(this.repeated, `${found.model.uid}.${name}`)
        this.#addRow(found)
        return
      case 'morph':
        this.#addRow(found)
    }
  }

  #addRow(found: ResolvedLink | ResolvedMorph): void {
    this.#scratch.run(
      'insert into raw values (?, ?, ?, ?, ?, ?, ?)',
      this.#attributeOf(found).number,
      this.#count++,
      found.owner,
      this.#scratch.number(found.targetType),
      found.target,
      found.position,
      found.kind === 'list' ? found.inverse : null,
    )
  }

  /** @returns whether it is the first one of its owner, which counts. */
  #addOne({ kind, owner, target }: ResolvedOne): boolean {
    if (kind === 'folder') return this.#folders.addFile(owner, target)
    if (kind === 'parent') return this.#folders.addParent(owner, target)
    if (this.roles.has(owner)) return false
    this.roles.set(owner, target)
    return true
  }

  #attributeOf(found: ResolvedLink | ResolvedMorph): LinkAttribute {
    const name = found.kind === 'list' ? found.attribute.name : found.name
    const key = keyOf(found.model.uid, name)
    const known = this.#attributes.get(key)
    if (known) return known
    const list = found.kind === 'list' ? found.attribute : undefined
    const many = list ? list.many : found.model.kind !== 'component' && found.model.morphs.get(name)?.many
    const made: LinkAttribute = {
      number: this.#scratch.number(key),
      owner: found.model.uid,
      name,
      one: many !== true,
      exclusive: list?.exclusive === true,
      repeats: list?.storage.kind === 'link',
      siblings: list?.storage.kind === 'siblings',
    }
    this.#attributes.set(key, made)
    return made
  }

  /** Notes links whose ends are not there, and puts the others in order. To be called when entities and links were read. */
  finish(): void {
    for (const owned of this.#attributes.values()) {
      this.#removeDangling(owned)
      if (!owned.siblings) this.#sort(owned)
    }
  }

  /**
   * Sorts the links between the localizations of a content-type, and passes them to `use`, each pair once. They are removed
   * afterwards.
   */
  localizations(uid: string, use: (links: LocalizationLinks) => void): void {
    for (const owned of this.#attributes.values()) {
      if (!owned.siblings || owned.owner !== uid) continue
      this.#scratch.run(
        'insert or ignore into localization select owner, target from raw where attr = ? and owner <> target',
        owned.number,
      )
      this.#scratch.run('delete from raw where attr = ?', owned.number)
    }
    const reverse = 'exists (select 1 from localization r where r.owner = l.target and r.target = l.owner)'
    use({
      mutual: this.#pairs(`l.owner < l.target and ${reverse}`),
      oneWay: this.#pairs(`not ${reverse}`),
    })
    this.#scratch.run('delete from localization')
  }

  *#pairs(condition: string): Generator<readonly [number, number]> {
    for (const { owner, target } of this.#scratch.iterate(
      `select owner, target from localization l where ${condition}`,
    ))
      yield [Number(owner), Number(target)]
  }

  #removeDangling({ number, owner, name }: LinkAttribute): void {
    const ownerTable = this.#registry.components.has(owner) ? 'component' : 'entity'
    const ownerIsThere = `exists (select 1 from ${ownerTable} e where e.type = ? and e.id = raw.owner)`
    const targetIsThere =
      'exists (select 1 from entity e where e.type = raw.target_type and e.id = raw.target)'
    const ownerType = this.#scratch.number(owner)
    const gone = this.#scratch.iterate(
      `select owner, target_type, target, ${ownerIsThere} as owned from raw where attr = ? and not (${ownerIsThere} and ${targetIsThere})`,
      ownerType,
      number,
      ownerType,
    )
    for (const row of gone) {
      const target = `${this.#scratch.name(row.target_type)} ${row.target}`
      this.#problems.add({
        kind: 'dangling link',
        type: owner,
        id: Number(row.owner),
        message: row.owned
          ? `"${name}" leads to ${target}, which does not exist`
          : `was deleted, but its link "${name}" to ${target} is still there`,
      })
    }
    this.#scratch.run(
      `delete from raw where attr = ? and not (${ownerIsThere} and ${targetIsThere})`,
      number,
      ownerType,
    )
  }

  /** The first of what is doubled stays; positions become 1, 2, … on both sides, those without one last. */
  #sort({ number, owner, name, one, exclusive, repeats }: LinkAttribute): void {
    const twin = repeats ? 'owner, target_type, target, pos' : 'owner, target_type, target'
    // Of files the first by order counts; of relations the oldest link.
    const first = repeats ? 'pos is null, pos, seq' : 'seq'
    const [{ n: before } = { n: 0 }] = this.#scratch.all(
      'select count(*) as n from raw where attr = ?',
      number,
    )
    let rows = `select *, row_number() over (partition by ${twin} order by seq) as twin from raw where attr = ${number}`
    rows = `select * from (${rows}) where twin = 1`
    if (one) rows = choose(rows, 'owner', first)
    if (exclusive) rows = choose(rows, 'target', 'seq')
    const after = this.#scratch.run(
      `insert into related
       select ${number}, owner, row_number() over (partition by owner order by pos is null, pos, seq), target_type, target,
         row_number() over (partition by target_type, target order by inv is null, inv, seq)
       from (${rows})`,
    )
    const surplus = Number(before) - after
    if (surplus > 0) countOne(this.repeated, `${owner}.${name}`, surplus)
    this.#scratch.run('delete from raw where attr = ?', number)
  }
}

export const countOne = (counts: Map<string, number>, what: string, n = 1): void =>
  void counts.set(what, (counts.get(what) ?? 0) + n)

/** The key of an attribute in the scratch database. */
export const keyOf = (uid: string, name: string): string => `${uid} ${name}`

const choose = (rows: string, among: string, order: string): string =>
  `select * from (select *, row_number() over (partition by ${among} order by ${order}) as first_${among} from (${rows})) where first_${among} = 1`
