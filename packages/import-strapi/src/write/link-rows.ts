import type { Model, Registry, RelationAttribute } from '@octavo/core/plugin'
import { fileUid, isEntryType, permissionUid, withoutCounterpart } from '../model/uids.ts'
import { holdsKey } from '../plan/resolve-link.ts'
import type { Data } from '../records.ts'
import { Scratch } from '../scratch/scratch.ts'

const tables = `
  create table held (seq integer primary key, attr integer, owner integer, rank integer, target_type integer, target integer);
  create table inverse (attr integer, owner integer, target integer, rank integer, primary key (attr, owner, target)) without rowid;`

/** The relations of all entries as link records. Both orders are known only when both sides have been read. */
export class LinkRows {
  readonly #scratch = new Scratch(tables)
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(model: Model, batch: readonly Data[]): void {
    this.#scratch.batch(() => {
      for (const values of batch) this.#add(model, Number(values.id), values)
    })
  }

  #add(model: Model, id: number, values: Data): void {
    for (const attribute of model.attributes.values()) {
      const value = values[attribute.name]
      if (attribute.kind === 'scalar' || value === null || value === undefined) continue
      const items = (Array.isArray(value) ? value : [value]) as readonly unknown[]
      if (attribute.kind === 'relation') this.#addRelation(model, attribute, id, items.map(Number))
      else
        for (const item of items as readonly Data[]) {
          const uid = attribute.kind === 'component' ? attribute.component : String(item.__component)
          this.#add(this.#registry.component(uid), Number(item.id), item)
        }
    }
    for (const { name } of model.morphs.values()) {
      const items = [values[name] ?? []].flat() as unknown as readonly Data[] // readEntries gives objects
      for (const [i, item] of items.entries())
        this.#hold(`${model.uid} ${name}`, id, i + 1, String(item.type), Number(item.id))
    }
  }

  #addRelation(model: Model, relation: RelationAttribute, id: number, targets: readonly number[]): void {
    if (!isEntryType(model.uid) && model.uid !== permissionUid) return
    // strapi import fails on a link of an attribute that it does not know.
    if (withoutCounterpart(model.uid).includes(relation.name)) return
    const key = `${model.uid} ${relation.name}`
    for (const [i, target] of targets.entries()) {
      if (holdsKey(relation)) this.#hold(key, id, i + 1, relation.target, target)
      else
        this.#scratch.run(
          'insert or ignore into inverse values (?, ?, ?, ?)',
          this.#scratch.number(`${relation.target} ${relation.inverse}`),
          target,
          id,
          i + 1,
        )
    }
  }

  #hold(key: string, owner: number, rank: number, targetType: string, target: number): void {
    this.#scratch.run(
      'insert into held (attr, owner, rank, target_type, target) values (?, ?, ?, ?, ?)',
      this.#scratch.number(key),
      owner,
      rank,
      this.#scratch.number(targetType),
      target,
    )
  }

  *all(): Generator<object> {
    const rows = this.#scratch.iterate(
      `select h.attr, h.owner, h.rank, h.target_type, h.target, i.rank as inverse from held h
       left join inverse i on i.attr = h.attr and i.owner = h.owner and i.target = h.target order by h.seq`,
    )
    for (const row of rows) {
      const [uid = '', name = ''] = this.#scratch.name(row.attr).split(' ')
      const model = this.#registry.components.get(uid) ?? this.#registry.contentType(uid)
      const link = { owner: Number(row.owner), rank: Number(row.rank), target: Number(row.target) }
      const inverse = row.inverse === null ? undefined : Number(row.inverse)
      const attribute = model.attributes.get(name)
      yield attribute?.kind === 'relation'
        ? recordOf(model, attribute, { ...link, inverse })
        : morphRecord(model, name, { ...link, targetType: this.#scratch.name(row.target_type) })
    }
  }

  close(): void {
    this.#scratch.close()
  }
}

interface Row {
  readonly owner: number
  readonly rank: number
  readonly target: number
}

function recordOf(
  { uid }: Model,
  { name, target, typeName, storage, definition, exclusive, inverse: inversedBy }: RelationAttribute,
  row: Row & { readonly inverse: number | undefined },
): object {
  // Files, and what leads back to a polymorphic relation: the other end holds it in Strapi.
  if (storage.kind === 'link') {
    const field = typeName === 'relation' ? String(definition.morphBy) : 'related'
    return {
      kind: 'relation.morph',
      relation: exclusive ? 'morphToOne' : 'morphToMany',
      left: { type: typeName === 'relation' ? target : fileUid, field, ref: row.target },
      right: { ref: row.owner, pos: row.rank, type: uid, field: name },
    }
  }
  const relation = storage.kind === 'siblings' ? 'oneToMany' : String(definition.relation)
  const toMany = relation === 'oneToMany' || relation === 'manyToMany'
  const ordered = inversedBy !== undefined && relation.startsWith('many')
  return {
    kind: target === uid ? 'relation.circular' : 'relation.basic',
    relation,
    left: { type: uid, field: name, ref: row.owner, ...(toMany && { pos: row.rank }) },
    right: {
      type: target,
      ref: row.target,
      ...(inversedBy !== undefined && { field: inversedBy }),
      ...(ordered && { pos: row.inverse ?? null }),
    },
  }
}

function morphRecord(model: Model, name: string, row: Row & { readonly targetType: string }): object {
  const many = model.kind !== 'component' && model.morphs.get(name)?.many === true
  return {
    kind: 'relation.morph',
    relation: many ? 'morphToMany' : 'morphToOne',
    left: { type: model.uid, field: name, ref: row.owner },
    right: { type: row.targetType, ref: row.target, ...(many && { pos: row.rank }) },
  }
}
