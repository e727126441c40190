import { fileUid, folderUid } from '../model/uids.ts'
import type { Data, EntityRecord, LinkRecord } from '../records.ts'

interface FolderRow {
  readonly id: number
  readonly name: string
  readonly parent: FolderRow | undefined
  /** `/1/3`, of the ids from the root. */
  readonly path: string
}

/** The folders of the media library, which Strapi has as entries and Octavo as paths. */
export class FolderRows {
  readonly #rows = new Map<string, FolderRow>()
  readonly #files: LinkRecord[] = []

  /** @returns the values of a file with the path of ids that Strapi has. */
  place(file: number, data: Data): Data {
    const names = String(data.folderPath ?? '/')
      .split('/')
      .filter((name) => name !== '')
    if (names.length === 0) return { ...data, folderPath: '/' }
    const folder = this.#folder(names)
    this.#files.push({
      left: { type: fileUid, field: 'folder', ref: file },
      right: { type: folderUid, ref: folder.id, field: 'files', pos: this.#files.length + 1 },
    })
    return { ...data, folderPath: folder.path }
  }

  *entities(): Generator<EntityRecord> {
    const now = new Date().toISOString()
    for (const { id, name, path } of this.#rows.values())
      yield { type: folderUid, id, data: { name, pathId: id, path, createdAt: now, updatedAt: now } }
  }

  *links(): Generator<object> {
    for (const link of this.#files) yield { kind: 'relation.basic', relation: 'manyToOne', ...link }
    for (const { id, parent } of this.#rows.values()) {
      if (!parent) continue
      yield {
        kind: 'relation.circular',
        relation: 'manyToOne',
        left: { type: folderUid, field: 'parent', ref: id },
        right: { type: folderUid, ref: parent.id, field: 'children', pos: id },
      }
    }
  }

  #folder(names: readonly string[]): FolderRow {
    const key = names.join('/')
    const known = this.#rows.get(key)
    if (known) return known
    const parent = names.length > 1 ? this.#folder(names.slice(0, -1)) : undefined
    const id = this.#rows.size + 1
    const made = { id, name: names.at(-1) ?? '', parent, path: `${parent?.path ?? ''}/${id}` }
    this.#rows.set(key, made)
    return made
  }
}
