import type { Data } from '../records.ts'

/** Folders of the media library, which here are the paths of files. */
export class Folders {
  readonly #names = new Map<number, string>()
  readonly #parents = new Map<number, number>()
  readonly #folderOfFile = new Map<number, number>()

  addFolder(id: number, data: Data): void {
    this.#names.set(id, String(data.name ?? id).replaceAll('/', '-'))
  }

  addParent(folder: number, parent: number): void {
    if (!this.#parents.has(folder)) this.#parents.set(folder, parent)
  }

  addFile(file: number, folder: number): void {
    if (!this.#folderOfFile.has(file)) this.#folderOfFile.set(file, folder)
  }

  get count(): number {
    return this.#names.size
  }

  /** `/Photos/2024`, or `/` for a file that is in no folder. */
  pathOf(file: number): string {
    const names: string[] = []
    const seen = new Set<number>()
    let folder = this.#folderOfFile.get(file)
    while (folder !== undefined && this.#names.has(folder) && !seen.has(folder)) {
      seen.add(folder)
      names.unshift(this.#names.get(folder) ?? '')
      folder = this.#parents.get(folder)
    }
    return `/${names.join('/')}`
  }
}
