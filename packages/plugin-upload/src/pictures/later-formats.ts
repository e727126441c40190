import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Logger, OctavoError, type RequestState } from '@octavo/core'
import { withPath } from '@octavo/core/internal'
import type { Picture } from '../codec/jobs.ts'
import { background, type PictureService } from '../codec/picture-service.ts'
import type { Files } from '../files/files.ts'
import { type FileRow, formatsOf, type StoredPart } from '../files/record.ts'
import type { StorageProvider } from '../storage/provider.ts'

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
  /** Runs work as a part of nothing: that which queues a file may be alone with it, and does not wait. */
  readonly #apart = AsyncLocalStorage.snapshot()

  constructor(parts: LaterParts) {
    this.#parts = parts
  }

  /** Queues a file, unless it needs no formats. */
  add(id: number): void {
    this.#work = this.#work
      .then(() => this.#apart(() => this.#make(id)))
      .catch((error: unknown) => this.#report(id, error))
  }

  /** Queues the files that a stopped server did not get to. */
  async resume(): Promise<void> {
    for (const id of await this.#parts.files.withPendingFormats()) this.add(id)
  }

  /** Waits for the file in progress. Other files stay pending. */
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

  /** Stores the formats and writes them into the row, unless the file is deleted or replaced by now: a new file is queued as well. */
  async #record(row: FileRow, parts: readonly StoredPart[], formats: unknown): Promise<void> {
    const { files, state } = this.#parts
    await files.addFormats(row, formats, { mime: row.mime, parts }, state).catch((error: unknown) => {
      if (!(error instanceof OctavoError && error.status === 404)) throw error
    })
  }

  #report(id: number, error: unknown): void {
    this.#parts.logger.error({ err: error, file: id }, 'The formats of a file could not be made')
  }
}

/** A picture that is broken, too large or too slow has no formats, now and at the next start. */
function unlessRefused(error: unknown): ReadonlyMap<string, Picture> {
  if (error instanceof OctavoError && error.status < 500) return new Map<string, Picture>()
  throw error
}
