import type { Octavo, OctavoError, Queryable, Repeatable, RequestState, TransactionScope } from '@octavo/core'
import { hasUnknownOutcome } from '@octavo/core/internal'
import type { ContentType } from '@octavo/core/plugin'
import { fileUid } from '../content-type/file-type.ts'
import { problem } from '../problems.ts'
import { attributesOf, type FileInfo } from './info.ts'
import type { Library } from './library.ts'
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
   * @param action What the caller does with the file: its permission decides whether the file is found.
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
    const discard = () => this.#library.discard(files.flatMap(({ parts }) => parts.map(({ key }) => key)))
    await this.#library.store(files)
    try {
      // One row needs no transaction with several round trips.
      if (only && rows.length === 1 && !into && !repeatable)
        return [bare(await this.#octavo.entries(fileUid, state).create(only))]
      if (!repeatable) return await this.#octavo.transaction(write, state)
      const text = async (tx: TransactionScope) => JSON.stringify(await write(tx))
      const { answer, isRepeated } = await this.#octavo.once(repeatable, text, state)
      if (isRepeated) await discard()
      return recordsOf(answer)
    } catch (error) {
      // The rows may exist: a file without a row costs space, a row without its file is a loss.
      if (!hasUnknownOutcome(error)) await discard().catch(() => {})
      throw error
    }
  }

  /** The files of an earlier upload with the key; `undefined` without one. @throws OctavoError 422 `entry/key-reused` */
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
    return this.#octavo.transaction(async (tx) => {
      // Clients of the reference read `{}` of a file that was replaced, and null of one that was not.
      const formats = file.row.formats ?? {}
      const record = bare(await tx.entries(fileUid).update(id, { ...file.row, formats }))
      // Last in the transaction: when the provider fails, the row is as it was. It has a limit of time of its own, which grows with the file.
      await tx.liftTimeLimits()
      await this.#library.replace(file)
      return record
    }, state)
  }

  /** Stores formats that were made later, with the row. @throws NotFoundError when the file was deleted or replaced meanwhile */
  addFormats(id: number, formats: unknown, file: FileParts, state: RequestState): Promise<void> {
    return this.#octavo.transaction(async (tx) => {
      await tx.entries(fileUid).update(id, { formats, pendingFormats: null }, idOnly)
      // Last in the transaction: whoever deletes or replaces the file waits, and finds these formats.
      await tx.liftTimeLimits()
      await this.#library.store([file])
    }, state)
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

  /** Runs work on the stored parts of a file while no replacement stores others. There is no row when the file is deleted. */
  hold(id: number, work: (row: FileRow | undefined) => Promise<void>): Promise<void> {
    return this.#octavo.store.transaction(async (tx) => {
      await tx.liftTimeLimits()
      await work(await this.findRow({ id }, tx))
    })
  }

  /** @param tx A transaction, in which the row is locked. */
  findRow(
    where: { readonly id: number } | { readonly hash: string },
    tx?: Queryable,
  ): Promise<FileRow | undefined> {
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
    const rows = (tx ?? this.#octavo.store).rows<FileRow>(this.type)
    return rows.first({ where, select, ...(tx && { lock: 'update' }) })
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
