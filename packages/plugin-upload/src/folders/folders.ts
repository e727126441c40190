import { type Octavo, type RequestState, sql, type Transaction } from '@octavo/core'
import { retried } from '@octavo/core/internal'
import { type ContentType, param } from '@octavo/core/plugin'
import { fileUid } from '../content-type/file-type.ts'
import { badInfo, problem } from '../problems.ts'
import type { FolderChange, Moved } from './changes.ts'
import {
  type Folder,
  type FolderField,
  type FolderRow,
  type FolderTable,
  folderColumns,
  folderRows,
  isWithin,
  shownFolder,
} from './table.ts'

/** The greatest number of folders, which one list shows. */
const maxFolders = 20_000
/** The greatest number of folders within each other. */
const maxDepth = 50
/** The greatest number of files that are moved or deleted with their folder in one request. */
const maxFiles = 1_000

declare module '@octavo/core' {
  interface RequestState {
    /** The folder that the written files go to; `null`: out of all folders. */
    readonly intoFolder?: number | null
    /** The folders that go there in the same transaction, before the path of the first of the files is written. */
    readonly withFolders?: { readonly folders: readonly number[]; readonly firstFile: number }
  }
}

/** The name of the lock that each change of the tree takes. */
const treeLock = 'folders of files'

const noFolders = { folders: [], firstFile: undefined } as const

/**
 * The tree of folders. All changes of the tree run one after another, under a lock of the database, so that neither two folders of one
 * name nor a circle can arise.
 */
export class Folders {
  readonly #octavo: Octavo
  readonly #table: FolderTable

  constructor(octavo: Octavo, table: FolderTable) {
    this.#octavo = octavo
    this.#table = table
  }

  get #files(): ContentType {
    return this.#octavo.registry.contentType(fileUid)
  }

  /** All folders by name, in one statement. @param fields The fields of the answer beside the id. Default: all. */
  async list(fields?: readonly FolderField[]): Promise<readonly Partial<Folder>[]> {
    const rows = folderRows(this.#octavo.store, this.#table)
    const orderBy = { name: 'asc', id: 'asc' } as const
    if (!fields) return (await rows.find({ orderBy })).map(shownFolder)
    const columns = fields.map((field) => [field, folderColumns[field]] as const)
    const found = await rows.find({ orderBy, select: ['id', ...columns.map(([, column]) => column)] })
    return found.map((row) => {
      const shown: Record<string, unknown> = { id: row.id }
      for (const [field, column] of columns) shown[field] = row[column]
      return shown
    })
  }

  /** @throws NotFoundError */
  async one(id: number): Promise<Folder> {
    const row = await folderRows(this.#octavo.store, this.#table).first({ where: { id } })
    if (!row) throw folderNotFound(id)
    return shownFolder(row)
  }

  /** @throws ValidationError for a name that its place has already, NotFoundError for a missing parent */
  create(name: string, parent: number | null): Promise<Folder> {
    return this.#change(async (tx) => {
      const rows = folderRows(tx, this.#table)
      if ((await rows.count()) >= maxFolders) throw problem('upload/too-many-folders', { limit: maxFolders })
      const above = await this.#placeOf(tx, parent)
      await this.#requireFree(tx, name, parent)
      requireDepth(`${above}/0`)
      const [next] = await tx.run(
        sql`select nextval(pg_get_serial_sequence(${param(`"${this.#table.table}"`, 'text')}, 'id'))::int as "id"`,
      )
      const id = Number(next?.id)
      const now = this.#octavo.store.now().toISOString()
      const row = { id, name, parent_id: parent, path: `${above}/${id}`, created_at: now, updated_at: now }
      await rows.insert(row)
      return shownFolder(row)
    })
  }

  /** Renames a folder, or moves it with all that is in it. @throws ValidationError, NotFoundError */
  update(id: number, change: FolderChange): Promise<Folder> {
    return this.#change((tx) => this.#update(tx, id, change))
  }

  /**
   * Moves files and folders to a folder in one transaction: all of them, or none.
   * @param to `null`: to the root.
   * @throws ValidationError, NotFoundError
   */
  async move({ files, folders }: Moved, to: number | null, state: RequestState): Promise<void> {
    const [firstFile, ...others] = new Set(files)
    if (firstFile === undefined) return this.#change((tx) => this.#moveFolders(tx, folders, to))
    if (others.length >= maxFiles) throw problem('upload/too-many-moved', { limit: maxFiles })
    const update = [firstFile, ...others].map((id) => ({ id }))
    const withFolders = { folders, firstFile }
    await this.#octavo.bulk({ type: this.#files, update, state: { ...state, intoFolder: to, withFolders } })
  }

  /** Moves the folders that go with a file in the transaction of its write. @throws ValidationError, NotFoundError */
  async moveWith(tx: Transaction, file: number | undefined, state: RequestState): Promise<void> {
    const { intoFolder = null, withFolders: { folders, firstFile } = noFolders } = state
    if (folders.length === 0 || file !== firstFile) return
    await tx.lock(treeLock)
    await this.#moveFolders(tx, folders, intoFolder)
  }

  /**
   * Deletes a folder with the folders and files in it. Files are deleted first, with the rights of the caller: when one of them is out
   * of its reach, nothing is deleted.
   *
   * @throws ValidationError when there are more than {@link maxFiles} files in it, NotFoundError, ForbiddenError
   */
  async delete(id: number, state: RequestState): Promise<Folder> {
    const { store } = this.#octavo
    const found = await this.one(id)
    const within = await this.#filesWithin(store, found.path, maxFiles + 1)
    if (within.length > maxFiles) throw problem('upload/full-folder', { limit: maxFiles })
    if (within.length > 0) await this.#octavo.bulk({ type: this.#files, delete: within, state })
    return this.#change(async (tx) => {
      const row = await this.#locked(tx, id)
      // Waits for uploads into these folders, which lock their folder.
      await tx.run(sql`select from ${this.#name} as "t" where ${isWithin(row.path)} for update`)
      if ((await this.#filesWithin(tx, row.path, 1)).length > 0) throw problem('upload/changed-folder')
      await tx.run(sql`delete from ${this.#name} as "t" where ${isWithin(row.path)}`)
      return shownFolder(row)
    })
  }

  /**
   * The path of a folder, for a file that goes there in this transaction. The folder stays until the transaction ends.
   * @throws ValidationError without such a folder
   */
  async pathFor(tx: Pick<Transaction, 'run'>, folder: number | null): Promise<string> {
    if (folder === null) return '/'
    const [row] = await tx.run(
      sql`select "path" from ${this.#name} where "id" = ${param(folder, 'int')} for share`,
    )
    if (!row) throw badInfo(`There is no folder with the id ${folder}.`, ['folder'])
    return String(row.path)
  }

  get #name() {
    return sql.id(this.#table.table)
  }

  /** Repeats the work after a deadlock: with a write of files, which locks its files first and then their folder. */
  #change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return retried(() =>
      this.#octavo.store.transaction(async (tx) => {
        await tx.lock(treeLock)
        return work(tx)
      }),
    )
  }

  async #moveFolders(tx: Transaction, ids: readonly number[], parent: number | null): Promise<void> {
    for (const id of ids) await this.#update(tx, id, { parent })
  }

  async #update(tx: Transaction, id: number, { name, parent }: FolderChange): Promise<Folder> {
    const row = await this.#locked(tx, id)
    const to = {
      name: name ?? row.name,
      parent_id: parent === undefined ? row.parent_id : parent,
    }
    if (to.name !== row.name || to.parent_id !== row.parent_id)
      await this.#requireFree(tx, to.name, to.parent_id, id)
    const above = await this.#placeOf(tx, to.parent_id)
    const path = `${above}/${id}`
    if (`${above}/`.startsWith(`${row.path}/`))
      throw problem('upload/bad-folder', { message: `The folder "${row.name}" cannot be in itself.` })
    const changed = { ...row, ...to, updated_at: this.#octavo.store.now().toISOString() }
    const { id: _, path: __, ...set } = changed
    await folderRows(tx, this.#table).update({ where: { id }, set })
    if (path !== row.path) await this.#rewrite(tx, row.path, path)
    return shownFolder({ ...changed, path })
  }

  /** Gives a folder and all that is in it another path: the folders first, whose locks make uploads wait, then the files. */
  async #rewrite(tx: Transaction, from: string, to: string): Promise<void> {
    const [old, next] = [param(from, 'text'), param(to, 'text')]
    const [deepest] = await tx.run(
      sql`select "path" from ${this.#name} as "t" where ${isWithin(from)} order by array_length(string_to_array("path", '/'), 1) desc limit 1`,
    )
    requireDepth(to + String(deepest?.path).slice(from.length))
    await tx.run(
      sql`update ${this.#name} as "t" set "path" = ${next} || substr("t"."path", length(${old}) + 1) where ${isWithin(from)}`,
    )
    const { table, column } = this.#folderPath
    await tx.run(
      sql`update ${table} as "f" set ${column} = "t"."path" from ${this.#name} as "t" where ${isWithin(to)} and "f".${column} = ${old} || substr("t"."path", length(${next}) + 1)`,
    )
  }

  async #filesWithin(db: Pick<Transaction, 'run'>, path: string, limit: number): Promise<readonly number[]> {
    const { table, column } = this.#folderPath
    const rows = await db.run(
      sql`select "f"."id" from ${table} as "f" where "f".${column} in (select "path" from ${this.#name} as "t" where ${isWithin(path)}) order by "f"."id" limit ${param(limit, 'int')}`,
    )
    return rows.map(({ id }) => Number(id))
  }

  get #folderPath() {
    const { table, columns } = this.#files
    return { table: sql.id(table), column: sql.id(columns.get('folderPath')?.column ?? '') }
  }

  /** @throws NotFoundError */
  async #locked(tx: Transaction, id: number): Promise<FolderRow> {
    const row = await folderRows(tx, this.#table).first({ where: { id }, lock: 'update' })
    if (!row) throw folderNotFound(id)
    return row
  }

  /** The path of a parent without a slash at its end: empty for the root. @throws ValidationError */
  async #placeOf(tx: Transaction, parent: number | null): Promise<string> {
    if (parent === null) return ''
    const row = await folderRows(tx, this.#table).first({ where: { id: parent } })
    if (!row)
      throw problem('upload/bad-folder', { message: `parent: there is no folder with the id ${parent}.` })
    return row.path
  }

  /** @throws ValidationError */
  async #requireFree(tx: Transaction, name: string, parent: number | null, own?: number): Promise<void> {
    const row = await folderRows(tx, this.#table).first({
      where: { name, parent_id: parent },
      select: ['id'],
    })
    if (row && row.id !== own)
      throw problem('upload/bad-folder', { message: `There is a folder "${name}" in this place already.` })
  }
}

function requireDepth(path: string): void {
  if (path.split('/').length - 1 > maxDepth) throw problem('upload/too-deep', { limit: maxDepth })
}

const folderNotFound = (id: number) =>
  problem('upload/not-found', { message: `There is no folder with the id ${id}.` })
