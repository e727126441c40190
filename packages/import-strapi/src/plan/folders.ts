import type { Data } from '../records.ts'
import type { Scratch } from '../scratch/scratch.ts'
import { timesOf } from './section-rows.ts'

export const folderTable = 'create table file_folder (file integer primary key, folder integer not null)'

interface Folder {
  readonly id: number
  readonly name: string
  readonly parent: number | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

/** Folders of the media library, with their ids. There are few folders, and any number of files. */
export class Folders {
  readonly #scratch: Scratch
  readonly #data = new Map<number, Data>()
  readonly #parents = new Map<number, number>()
  #tree: ReadonlyMap<number, Folder> | undefined

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  get count(): number {
    return this.#data.size
  }

  addFolder(id: number, data: Data): void {
    this.#data.set(id, data)
    this.#tree = undefined
  }

  /** The first parent of a folder counts. @returns whether it is the first. */
  addParent(folder: number, parent: number): boolean {
    this.#tree = undefined
    if (this.#parents.has(folder)) return false
    this.#parents.set(folder, parent)
    return true
  }

  /** The first folder of a file counts. @returns whether it is the first. */
  addFile(file: number, folder: number): boolean {
    return this.#scratch.run('insert or ignore into file_folder values (?, ?)', file, folder) > 0
  }

  /** `/1/3`, the ids from the root, or `/` for a file outside all folders. */
  pathOf(file: number): string {
    const [row] = this.#scratch.all('select folder from file_folder where file = ?', file)
    const tree = this.#folders()
    const ids: number[] = []
    let folder = row ? tree.get(Number(row.folder)) : undefined
    while (folder) {
      ids.unshift(folder.id)
      folder = folder.parent === null ? undefined : tree.get(folder.parent)
    }
    return `/${ids.join('/')}`
  }

  /** The section `folders` of a data file. */
  section(): readonly Folder[] {
    return [...this.#folders().values()]
  }

  /** Circles are cut, missing parents left out, and a name that is taken in its place gets a number. */
  #folders(): ReadonlyMap<number, Folder> {
    if (this.#tree) return this.#tree
    const tree = new Map<number, Folder>()
    const parents = new Map<number, number>()
    const taken = new Set<string>()
    for (const id of [...this.#data.keys()].sort((a, b) => a - b)) {
      const data = this.#data.get(id) ?? {}
      const given = this.#parents.get(id)
      const parent =
        given !== undefined && this.#data.has(given) && !leadsTo(given, id, parents) ? given : null
      if (parent !== null) parents.set(id, parent)
      const name = freeName(nameOf(id, data), (one) => taken.has(`${parent}/${one}`))
      taken.add(`${parent}/${name}`)
      tree.set(id, { id, name, parent, ...timesOf(data) })
    }
    this.#tree = tree
    return tree
  }
}

/** Whether a folder is within another one, or is it. */
function leadsTo(from: number, to: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = from; at !== undefined; at = parents.get(at)) if (at === to) return true
  return false
}

/** The name in a form that folders may have. */
function nameOf(id: number, { name }: Data): string {
  const text = (typeof name === 'string' ? name : '').normalize('NFC')
  const clean = text.replaceAll(/[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '-').trim()
  return clean.slice(0, 240).toWellFormed().trim() || `folder ${id}`
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name
  for (let n = 2; ; n++) if (!isTaken(`${name} (${n})`)) return `${name} (${n})`
}
