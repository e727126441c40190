import { param, type Sql, sql, type Transaction } from '@octavo/database'
import { type ContentType, ownerColumns, type RelationAttribute } from '../content-type/model.ts'
import { isId } from '../id.ts'
import { relationsOf } from '../schema/tables/tables.ts'
import type { FileIndex } from './file-index.ts'
import { describe, type RowContext } from './import-place.ts'
import type { ImportMistakes } from './mistakes.ts'
import { numbered } from './outline.ts'

/** The owners of targets that can have one owner only, as in a one-to-one relation. */
export class ExclusiveLinks {
  readonly #file: FileIndex
  readonly #mistakes: ImportMistakes
  /** The first owner of each target, by the relations of the current content-type: its id in the file, or its name in the database. */
  #own = new Map<string, Map<number, number | string>>()
  /** The first owner of each target, by link tables, which several content-types share. */
  readonly #links = new Map<string, Map<number, number | string>>()

  constructor(file: FileIndex, mistakes: ImportMistakes) {
    this.#file = file
    this.#mistakes = mistakes
  }

  /** Reads the owners in the database, of targets that are not in the file, before the entries of a content-type are written. */
  async startType(type: ContentType, tx: Transaction): Promise<void> {
    this.#own = new Map()
    for (const relation of relationsOf(type)) {
      const owned = ownersIn(type, relation)
      if (!owned) continue
      const absent = this.#absentTargets(type, relation)
      if (absent.length === 0) continue
      const owners = this.#ownersOf(relation)
      for (const { target, owner } of await tx.run(owned(absent)))
        if (!owners.has(Number(target))) owners.set(Number(target), `${owner} of the database`)
    }
  }

  /** Reports a target that another entry names. @param name The path of the relation. */
  add(relation: RelationAttribute, target: number, { place }: RowContext, name: string): void {
    if (!relation.exclusive) return
    const owners = this.#ownersOf(relation)
    const owner = owners.get(target)
    if (owner === undefined) {
      owners.set(target, relation.storage.kind === 'link' ? describe(place) : place.id)
      return
    }
    const other = typeof owner === 'number' ? this.#file.placeOf(place.type.uid, owner) : owner
    this.#mistakes.add(
      `${describe(place)}, attributes "${name}": names ${target}, as ${other} does; only one entry can name it.`,
    )
  }

  #ownersOf({ name, storage }: RelationAttribute): Map<number, number | string> {
    const isLink = storage.kind === 'link'
    const [all, key] = isLink ? [this.#links, storage.table] : [this.#own, name]
    const owners = all.get(key) ?? new Map<number, number | string>()
    all.set(key, owners)
    return owners
  }

  #absentTargets({ uid }: ContentType, { name, target }: RelationAttribute): readonly number[] {
    const absent = new Set<number>()
    for (const [, entry] of numbered(this.#file.list(uid)))
      for (const id of [entry[name]].flat()) if (isId(id) && !this.#file.has(target, id)) absent.add(id)
    return [...absent]
  }
}

/** The query of the owners of targets; `undefined` for a relation whose targets may have several, or have the key themselves. */
function ownersIn(
  { table, uid }: ContentType,
  { exclusive, storage }: RelationAttribute,
): ((targets: readonly number[]) => Sql) | undefined {
  if (!exclusive) return undefined
  const select = (from: string, key: string, owner: Sql) => (targets: readonly number[]) => {
    const column = sql.id(key)
    return sql`select ${column} as "target", ${owner} as "owner" from ${sql.id(from)} where ${column} = any(${param(targets, 'int4[]')})`
  }
  const ofType = (key: string): Sql => sql`${sql.lit(`${uid} `)} || ${sql.id(key)}`
  switch (storage.kind) {
    case 'own':
      return select(table, storage.column, ofType('id'))
    case 'join':
      return storage.owner ? select(storage.table, storage.target, ofType(storage.own)) : undefined
    case 'link': {
      const { type, id } = ownerColumns
      return select(storage.table, storage.target, sql`${sql.id(type)} || ' ' || ${sql.id(id)}`)
    }
    case 'foreign':
    case 'siblings':
      return undefined
  }
}
