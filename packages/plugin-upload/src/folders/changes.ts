/** Changes of the tree of folders. */

/** A new name, or another place. */
export interface FolderChange {
  readonly name?: string
  /** The id of the folder that it goes to; `null`: the root. */
  readonly parent?: number | null
}

/** The files and folders that a move takes along, by their ids. */
export interface Moved {
  readonly files: readonly number[]
  readonly folders: readonly number[]
}
