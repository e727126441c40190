import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Logger, OctavoError, type RequestState } from '@octavo/core'
import { withPath } from '@octavo/core/internal'
import type { WriteEvent } from '@octavo/core/plugin'
import type { Picture } from '../codec/jobs.ts'
import { background, type PictureService } from '../codec/picture-service.ts'
import { fileUid } from '../content-type/file-type.ts'
import { type Files, fileNotFound } from '../files/files.ts'
import { type FileRow, formatsOf, type StoredPart } from '../files/record.ts'
import type { StorageProvider } from '../storage/provider.ts'

declare module '@octavo/core' {
  interface RequestState {
    /** The value of `pendingFormats` that this write makes the formats for. */
    readonly formatsFor?: string
  }
}

export interface LaterParts {
  readonly files: Files
  readonly pictures: PictureService
  readonly provider: StorageProvider
  readonly logger: Logger
  /** The rights with which rows are updated. */
  readonly state: RequestState
}

/** Makes the formats of files after their upload was answered, one file after the other. */
export class LaterFormats {
  readonly #parts: LaterParts
  #work: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(parts: LaterParts) {
    this.#parts = parts
  }

  /** Queues a file, unless it needs no formats. */
  add(id: number): void {
    this.#work = this.#work.then(() => this.#make(id)).catch((error: unknown) => this.#report(id, error))
  }

  /** Queues the files that a stopped server did not get to. */
  async resume(): Promise<void> {
    for (const id of await this.#parts.files.withPendingFormats()) this.add(id)
  }

  /** Waits for the file that is worked on. The others stay pending. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#work
  }

  async #make(id: number): Promise<void> {
    if (this.#isClosed) return
    const { files, pictures, provider } = this.#parts
    const row = await files.findRow({ id })
    if (!row || row.pendingFormats === null) return
    const names = { ...row, ext: row.ext ?? '' }
    const source = await provider.open(`${row.hash}${names.ext}`)
    if (!source) return
    const folder = await mkdtemp(path.join(provider.incoming ?? tmpdir(), 'formats-'))
    try {
      const original = path.join(folder, randomUUID())
      await pipeline(source.stream, createWriteStream(original)).catch((error: unknown) => {
        throw withPath(error, original)
      })
      const made = await pictures.formats(original, row.mime, folder, background).catch(unlessRefused)
      const { parts, formats } = formatsOf(names, made, provider)
      await this.#record(row, parts, formats)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Stores the formats and writes them into the row, unless the file is deleted or the row is about another file by now. */
  async #record(row: FileRow, parts: readonly StoredPart[], formats: unknown): Promise<void> {
    const { files, state } = this.#parts
    const own = { ...state, ...(row.pendingFormats !== null && { formatsFor: row.pendingFormats }) }
    const file = { mime: row.mime, parts }
    await files.addFormats(row.id, formats, file, own).catch((error: unknown) => {
      // The new file of a replacement is queued as well.
      if (!(error instanceof OctavoError && error.status === 404)) throw error
    })
  }

  #report(id: number, error: unknown): void {
    this.#parts.logger.error({ err: error, file: id }, 'The formats of a file could not be made')
  }
}

/** For the hook `entry:beforeUpdate` of formats that were made later. @throws NotFoundError when the file was replaced while its formats were made */
export async function refuseOutdated({ id, state, entries }: WriteEvent): Promise<void> {
  if (id === undefined) return
  const row = await entries.stored(fileUid, id)
  if (row?.pendingFormats !== state.formatsFor) throw fileNotFound()
}

/** A picture that is broken, too large or too slow has no formats, now and at the next start. */
function unlessRefused(error: unknown): ReadonlyMap<string, Picture> {
  if (error instanceof OctavoError && error.status < 500) return new Map<string, Picture>()
  throw error
}
