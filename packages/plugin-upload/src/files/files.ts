import type { Octavo, OctavoError, Repeatable, RequestState, TransactionScope } from '@octavo/core'
import type { ContentType } from '@octavo/core/plugin'
import { fileUid } from '../content-type/file-type.ts'
import { problem } from '../problems.ts'
import { attributesOf, type FileInfo } from './info.ts'
import { keysIn, type Library } from './library.ts'
import type { FileParts, FileRow, PreparedFile } from './record.ts'

/** The most files that one list has. */
const maxFiles = 10_000

export type FileRecord = Readonly<Record<string, unknown>> & { readonly id: number }

/** The rows of files. They are read and written as entries are, with the same hooks and in the same transactions. */
export class Files {
  readonly #octavo: Octavo
  readonly #library: Library

  constructor(octavo: Octavo, library: Library) {
    this.#octavo = octavo
    this.#library = library
  }

  get type(): ContentType {
    return this.#octavo.registry.contentType(fileUid)
  }

  /**
   * A list without an envelope.
   * @param query The query string; without `limit` or `pagination` in it, the list has all files.
   * @throws ValidationError when the list would have more than {@link maxFiles}.
   */
  async find(query: string, state: RequestState): Promise<readonly FileRecord[]> {
    const paged = withPagination(query)
    const isAll = !/(?:^|&)pagination(?:\[|%5b)(?:limit|page|pagesize|after|before)/i.test(paged)
    const { data = '[]' } = await this.#octavo.read({
      type: this.type,
      action: 'find',
      kind: 'list',
      query: `${paged}${isAll ? '&pagination[limit]=-1' : ''}&pagination[withCount]=false`,
      state,
      maxLimit: isAll ? maxFiles + 1 : maxFiles,
    })
    const files = JSON.parse(data) as Enveloped[]
    if (files.length > maxFiles) throw problem('upload/too-many', { limit: maxFiles })
    return files.map(bare)
  }

  /**
   * @param action The action of the caller, whose permission decides whether the file is found.
   * @throws NotFoundError
   */
  async findOne(
    id: number,
    query: string,
    state: RequestState,
    action: 'findOne' | 'update' | 'replace' = 'findOne',
  ): Promise<FileRecord> {
    const { data } = await this.#octavo.read({
      type: this.type,
      action,
      kind: 'one',
      id,
      query,
      state,
    })
    if (data === undefined) throw fileNotFound()
    return bare(JSON.parse(data) as Enveloped)
  }

  /**
   * Stores files, creates their rows and attaches them to an entry where one is given: everything or nothing.
   * @param repeatable Set for a request that its client may repeat: a repetition stores nothing.
   * @returns the files in order, with the attributes that the caller may read
   */
  async add(
    files: readonly PreparedFile[],
    into: Destination | undefined,
    state: RequestState,
    repeatable?: Repeatable,
  ): Promise<readonly FileRecord[]> {
    const rows = files.map(({ row }) => ({ ...row, ...this.uploader(state) }))
    const [only] = rows
    const write = async (tx: TransactionScope): Promise<readonly FileRecord[]> => {
      const records: FileRecord[] = []
      for (const row of rows) records.push(bare(await tx.entries(fileUid).create(row)))
      const ids = records.map(({ id }) => id)
      if (into)
        await tx
          .entries(into.type.uid)
          .update(into.id, { [into.field]: into.many ? { connect: ids } : ids[0] }, idOnly)
      return records
    }
    return this.#library.add(files, async () => {
      // One row needs no transaction with several round trips.
      if (only && rows.length === 1 && !into && !repeatable)
        return [bare(await this.#octavo.entries(fileUid, state).create(only))]
      if (!repeatable) return this.#octavo.transaction(write, state)
      const text = async (tx: TransactionScope) => JSON.stringify(await write(tx))
      const { answer, isRepeated } = await this.#octavo.once(repeatable, text, state)
      if (isRepeated) await this.#library.discard(keysIn(files))
      return recordsOf(answer)
    })
  }

  /** The files of an earlier upload with the key; `undefined` without one. @throws OctavoError 422 `entry/key-reused`, `entry/answer-not-stored` */
  async stored(repeatable: Repeatable | undefined): Promise<readonly FileRecord[] | undefined> {
    const answer = repeatable && (await this.#octavo.storedAnswer(repeatable))
    return answer === undefined ? undefined : recordsOf(answer)
  }

  /** @returns the file with the attributes that the caller may read. @throws NotFoundError */
  async changeInfo(id: number, info: FileInfo, state: RequestState): Promise<FileRecord> {
    await this.row(id)
    return bare(await this.#octavo.entries(fileUid, state).update(id, attributesOf(info)))
  }

  /**
   * Replaces a file, whose address stays if the type does, and returns it as far as the caller may read it. @throws NotFoundError
   */
  replace(id: number, file: PreparedFile, state: RequestState): Promise<FileRecord> {
    // Clients of the reference read `{}` of a file that was replaced, and null of one that was not.
    const row = { ...file.row, formats: file.row.formats ?? {} }
    const write = async () => bare(await this.#octavo.entries(fileUid, state).update(id, row))
    const exists = async () => (await this.findRow({ id })) !== undefined
    return this.alone(id, () => this.#library.replace(file, write, exists))
  }

  /** Stores formats that were made later, unless the file was deleted or replaced meanwhile. @throws NotFoundError when it is deleted just now */
  addFormats(made: FileRow, formats: unknown, file: FileParts, state: RequestState): Promise<void> {
    const { id, pendingFormats } = made
    const write = async () => {
      await this.#octavo.entries(fileUid, state).update(id, { formats, pendingFormats: null }, idOnly)
    }
    return this.alone(id, async () => {
      if ((await this.findRow({ id }))?.pendingFormats !== pendingFormats) return
      await this.#library.add([file], write)
    })
  }

  /** @returns the file as it was. @throws NotFoundError */
  async delete(id: number, state: RequestState): Promise<FileRecord> {
    const { data } = await this.#octavo.write({ type: this.type, action: 'delete', id, query: '', state })
    if (data === undefined) throw fileNotFound()
    return bare(JSON.parse(data) as Enveloped)
  }

  /** The attribute of a new file that records who uploaded it; empty without users, and for callers without an account. */
  uploader(state: RequestState): { readonly uploadedBy?: number } {
    const id = this.#octavo.runtimeValue('user.id', state)
    return typeof id === 'number' && this.type.attributes.has('uploadedBy') ? { uploadedBy: id } : {}
  }

  /** @throws NotFoundError */
  async row(id: number): Promise<FileRow> {
    const row = await this.findRow({ id })
    if (!row) throw fileNotFound()
    return row
  }

  async isInFolder(id: number): Promise<boolean> {
    const rows = this.#octavo.store.rows<FileRow>(this.type)
    const { folderPath = null } = (await rows.first({ where: { id }, select: ['folderPath'] })) ?? {}
    return folderPath !== null && folderPath !== '/'
  }

  /**
   * Runs work on the stored parts of a file while no other work stores or removes any of them, in all processes. No transaction is open: the provider
   * may be slow. Deletions of the file do not wait.
   */
  alone<T>(id: number, work: () => Promise<T>): Promise<T> {
    return this.#octavo.store.alone(`file ${id}`, work)
  }

  findRow(where: { readonly id: number } | { readonly hash: string }): Promise<FileRow | undefined> {
    const select: readonly (keyof FileRow)[] = [
      'id',
      'name',
      'hash',
      'ext',
      'mime',
      'formats',
      'pendingFormats',
      'updatedAt',
      ...(this.type.attributes.has('focalPoint') ? (['focalPoint'] as const) : []),
    ]
    return this.#octavo.store.rows<FileRow>(this.type).first({ where, select })
  }

  /** The ids of the files whose formats are still to be made. */
  async withPendingFormats(): Promise<readonly number[]> {
    const rows = await this.#octavo.store
      .rows<FileRow>(this.type)
      .find({ where: { pendingFormats: { $notNull: true } }, select: ['id'], orderBy: { id: 'asc' } })
    return rows.map(({ id }) => id)
  }
}

/** The query string with bare `start` and `limit` in the names that content has for them: `pagination[start]`. */
const withPagination = (query: string): string =>
  query.replaceAll(/(^|&)(start|limit)(?==)/g, '$1pagination[$2]')

/** A media attribute of an entry. */
export interface Destination {
  readonly type: ContentType
  readonly id: number
  readonly field: string
  readonly many: boolean
}

/** Safe: the text is that of {@link Files.add}. */
const recordsOf = (answer: string): readonly FileRecord[] => JSON.parse(answer) as readonly FileRecord[]

export const fileNotFound = (): OctavoError => problem('upload/not-found', { message: 'file.notFound' })

const idOnly = { fields: ['id'] }

interface Enveloped {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Files have no envelope. Source: docs/contract/accounts-and-files.md#files. */
const bare = ({ id, attributes }: Enveloped): FileRecord => ({ id, ...attributes })
