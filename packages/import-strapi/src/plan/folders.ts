import type { Data } from '../records.ts'
import type { Scratch } from '../scratch/scratch.ts'

export const folderTable = 'create table file_folder (file integer primary key, folder integer not null)'

/** Folders of the media library, which become the paths of files. There are few folders, and any number of files. */
export class Folders {
  readonly #scratch: Scratch
  readonly #names = new Map<number, string>()
  readonly #parents = new Map<number, number>()

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  addFolder(id: number, data: Data): void {
    this.#names.set(id, String(data.name ?? id).replaceAll('/', '-'))
  }

  /** The first parent of a folder counts. */
  addParent(folder: number, parent: number): void {
    if (!this.#parents.has(folder)) this.#parents.set(folder, parent)
  }

  /** The first folder of a file counts. */
  addFile(file: number, folder: number): void {
    this.#scratch.run('insert or ignore into file_folder values (?, ?)', file, folder)
  }

  /** `/Photos/2024`, or `/` for a file outside all folders. */
  pathOf(file: number): string {
    const names: string[] = []
    const seen = new Set<number>()
    const [row] = this.#scratch.all('select folder from file_folder where file = ?', file)
    let folder = row ? Number(row.folder) : undefined
    while (folder !== undefined && this.#names.has(folder) && !seen.has(folder)) {
      seen.add(folder)
      names.unshift(this.#names.get(folder) ?? '')
      folder = this.#parents.get(folder)
    }
    return `/${names.join('/')}`
  }
}
