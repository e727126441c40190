import { fileUid, folderUid } from '../model/uids.ts'
import type { Data, EntityRecord, LinkRecord } from '../records.ts'

/** A folder of the media library, as the section `folders` of a data file has it. */
interface FolderItem {
  readonly id: number
  readonly name: string
  readonly parent: number | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The folders of the media library as records, and the files in them. */
export class FolderRows {
  readonly #folders: ReadonlyMap<number, FolderItem>
  readonly #files: LinkRecord[] = []

  /** @param items The section `folders`, of the plugin that has it. */
  constructor(items: readonly unknown[]) {
    const folders = items as readonly FolderItem[] // plugin-upload wrote them
    this.#folders = new Map(folders.map((folder) => [folder.id, folder]))
  }

  /** @returns the values of a file, with its folder noted. */
  place(file: number, data: Data): Data {
    const id = Number(
      String(data.folderPath ?? '/')
        .split('/')
        .at(-1),
    )
    if (!this.#folders.has(id)) return { ...data, folderPath: '/' }
    this.#files.push({
      left: { type: fileUid, field: 'folder', ref: file },
      right: { type: folderUid, ref: id, field: 'files', pos: this.#files.length + 1 },
    })
    return data
  }

  /** The number by which Strapi names a folder in paths is its id. */
  *entities(): Generator<EntityRecord> {
    for (const { id, name, createdAt, updatedAt } of this.#folders.values())
      yield {
        type: folderUid,
        id,
        data: { name, pathId: id, path: this.#pathOf(id), createdAt, updatedAt },
      }
  }

  *links(): Generator<object> {
    for (const link of this.#files) yield { kind: 'relation.basic', relation: 'manyToOne', ...link }
    for (const { id, parent } of this.#folders.values()) {
      if (parent === null) continue
      yield {
        kind: 'relation.circular',
        relation: 'manyToOne',
        left: { type: folderUid, field: 'parent', ref: id },
        right: { type: folderUid, ref: parent, field: 'children', pos: id },
      }
    }
  }

  #pathOf(id: number): string {
    const parent = this.#folders.get(id)?.parent ?? null
    return `${parent === null ? '' : this.#pathOf(parent)}/${id}`
  }
}
