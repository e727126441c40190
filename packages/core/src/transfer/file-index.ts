import type { ContentType, Model, Registry } from '../content-type/model.ts'
import { isId } from '../id.ts'
import { isObject } from '../kinds-of-values.ts'
import type { DataEntry } from './data-file.ts'
import { IdIndex } from './id-index.ts'
import { describe, idOf } from './import-place.ts'
import { type LeftOut, leaveOut } from './left-out.ts'
import type { ImportMistakes } from './mistakes.ts'
import { type EntryList, numbered } from './outline.ts'

export type FileEntries = Readonly<Record<string, EntryList>>

/** The entries of a data file by id, and the highest ids of its components. */
export class FileIndex {
  readonly #entries: FileEntries
  readonly #registry: Registry
  readonly #mistakes: ImportMistakes
  /** The index of each entry in its list, by uid. */
  readonly #indexes = new Map<string, IdIndex>()
  /** One more than the highest id of an entry or a component in the file, by uid. */
  readonly #pastIds = new Map<string, number>()
  /** The number of components without an id, by uid. */
  readonly #unnumbered = new Map<string, number>()

  /** Reads all ids. Invalid and duplicate ids are added to `mistakes`, lists without a content-type to `leftOut`. */
  constructor(entries: FileEntries, registry: Registry, mistakes: ImportMistakes, leftOut: LeftOut) {
    this.#entries = entries
    this.#registry = registry
    this.#mistakes = mistakes
    for (const [uid, list] of Object.entries(entries)) {
      const type = registry.contentTypes.get(uid)
      if (type) this.#addList(type, list)
      else leaveOut(leftOut, `entries of ${uid}`, list.length)
    }
  }

  /** The entries of a content-type, in the order of the file. */
  list(uid: string): EntryList {
    return this.#entries[uid] ?? []
  }

  /** The ids of each content-type that the file has, up to `size` at a time. */
  *ids(size: number): Generator<readonly [uid: string, ids: readonly number[]]> {
    for (const [uid, indexes] of this.#indexes) for (const ids of indexes.batches(size)) yield [uid, ids]
  }

  has(uid: string, id: number): boolean {
    return this.#indexes.get(uid)?.has(id) ?? false
  }

  entry(uid: string, id: number): DataEntry | undefined {
    const index = this.#indexes.get(uid)?.get(id)
    return index === undefined ? undefined : this.#entries[uid]?.at(index)
  }

  /** The place of an entry in messages. */
  placeOf(uid: string, id: number): string {
    return describe({
      type: this.#registry.contentType(uid),
      index: this.#indexes.get(uid)?.get(id) ?? -1,
      id,
    })
  }

  /** One more than the highest id of an entry or a component in the file; at least 1. */
  pastId(uid: string): number {
    return this.#pastIds.get(uid) ?? 1
  }

  unnumbered(uid: string): number {
    return this.#unnumbered.get(uid) ?? 0
  }

  #addList(type: ContentType, list: EntryList): void {
    const indexes = new IdIndex(list.length)
    this.#indexes.set(type.uid, indexes)
    for (const [index, entry] of numbered(list)) {
      const at = `entries["${type.uid}"][${index}]`
      const id = idOf(entry)
      const first = id === undefined ? undefined : indexes.get(id)
      if (!isObject(entry)) {
        this.#mistakes.add(`${at}: expected an object.`)
      } else if (id === undefined) {
        this.#mistakes.add(`${at}, "id": expected a whole number of at least 1.`)
      } else if (first !== undefined) {
        this.#mistakes.add(`${at} (id ${id}): entries["${type.uid}"][${first}] has the same id.`)
      } else {
        indexes.set(id, index)
        this.#pass(type.uid, id)
        this.#addComponents(type, entry)
      }
    }
  }

  #pass(uid: string, id: number): void {
    this.#pastIds.set(uid, Math.max(this.pastId(uid), id + 1))
  }

  #addComponents(model: Model, entry: DataEntry): void {
    for (const attribute of model.attributes.values()) {
      if (attribute.kind !== 'component' && attribute.kind !== 'zone') continue
      for (const item of [entry[attribute.name]].flat()) {
        if (!isObject(item)) continue
        const uid = attribute.kind === 'component' ? attribute.component : String(item.__component)
        const component = this.#registry.components.get(uid)
        if (!component) continue
        if (isId(item.id)) this.#pass(uid, item.id)
        else this.#unnumbered.set(uid, this.unnumbered(uid) + 1)
        this.#addComponents(component, item)
      }
    }
  }
}
