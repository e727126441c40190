import { randomText } from '../../form/random.ts'
import { ApiError, signedInAgain } from '../requests/api.ts'
import { personHeader } from '../requests/person-header.ts'
import { storableName } from './files.ts'

/** A file on its way to the library. */
export interface Upload {
  /** Names the upload to the server, so that a repetition stores nothing twice. */
  readonly key: string
  readonly file: File
  /** The id of the folder that it goes to; `null`: outside of all. */
  readonly folder: number | null
  readonly state: 'waiting' | 'sending' | 'done' | 'failed'
  /** Per cent. */
  readonly done: number
  /** The refusal of a failed one. */
  readonly error?: unknown
}

/** Uploads that are sent at a time. */
const atOnce = 2

/** Files on their way, each in a request of its own, so that one that is refused holds up no other. */
export class UploadQueue {
  #uploads: readonly Upload[] = []
  readonly #listeners = new Set<() => void>()
  readonly #sending = new Map<string, XMLHttpRequest>()
  readonly #onEnd: (error?: unknown) => void

  /** @param onEnd Called after each file that has arrived, or was refused: with the reason. */
  constructor(onEnd: (error?: unknown) => void) {
    this.#onEnd = onEnd
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly uploads = (): readonly Upload[] => this.#uploads

  add(files: readonly File[], folder: number | null): void {
    const added = files.map(
      (file): Upload => ({ key: randomText(20), file, folder, state: 'waiting', done: 0 }),
    )
    this.#show([...this.#uploads.filter(({ state }) => state !== 'done'), ...added])
    this.#next()
  }

  /** Sends a failed file again. */
  repeat(key: string): void {
    this.#change(key, { state: 'waiting', done: 0, error: undefined })
    this.#next()
  }

  /** Takes a file off the list, and ends its upload. */
  remove(key: string): void {
    this.#sending.get(key)?.abort()
    this.#sending.delete(key)
    this.#show(this.#uploads.filter((one) => one.key !== key))
    this.#next()
  }

  /** Takes all files off the list, and ends the uploads under way. */
  removeAll(): void {
    const sending = [...this.#sending.values()]
    this.#sending.clear()
    this.#show([])
    for (const request of sending) request.abort()
  }

  #show(uploads: readonly Upload[]): void {
    this.#uploads = uploads
    for (const listener of this.#listeners) listener()
  }

  #change(key: string, change: Partial<Upload>): void {
    this.#show(this.#uploads.map((one) => (one.key === key ? { ...one, ...change } : one)))
  }

  #next(): void {
    for (const upload of this.#uploads) {
      if (this.#sending.size >= atOnce) return
      if (upload.state === 'waiting' && !this.#sending.has(upload.key)) void this.#send(upload)
    }
  }

  async #send(upload: Upload): Promise<void> {
    const { key } = upload
    const request = new XMLHttpRequest()
    this.#sending.set(key, request)
    this.#change(key, { state: 'sending' })
    try {
      await send(request, upload, (done) => this.#change(key, { done }))
      this.#change(key, { state: 'done', done: 100 })
      this.#onEnd()
    } catch (error) {
      const hasEnded = error instanceof ApiError && error.code === 'desk/not-signed-in'
      this.#change(key, { state: hasEnded ? 'waiting' : 'failed', error })
      if (!hasEnded) this.#onEnd(error)
      // Until the person has signed in again, the upload keeps its place, so that no other one is sent.
      if (hasEnded) await signedInAgain().catch(() => this.#change(key, { state: 'failed' }))
    }
    if (this.#sending.get(key) === request) this.#sending.delete(key)
    this.#next()
  }
}

interface Refusal {
  readonly error?: { readonly message?: string; readonly details?: { readonly code?: string } }
}

/** Sends a file. `fetch` tells nothing of the progress of a body. @throws ApiError */
const send = (
  request: XMLHttpRequest,
  { key, file, folder }: Upload,
  onProgress: (done: number) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const body = new FormData()
    body.append('fileInfo', JSON.stringify({ folder }))
    body.append('files', file, storableName(file.name))
    request.open('POST', '/desk/api/files')
    for (const [name, value] of Object.entries({ 'Idempotency-Key': key, ...personHeader() }))
      request.setRequestHeader(name, value)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(Math.floor((loaded / Math.max(total, 1)) * 100))
    request.onerror = () => reject(new ApiError(0, '', 'desk/offline'))
    request.onabort = request.onerror
    request.onload = () => {
      if (request.status < 300)
        // A success without JSON is the page of a proxy: nothing is stored.
        return request.response === null ? reject(new ApiError(0, '', 'desk/offline')) : resolve()
      const { error } = (request.response ?? {}) as Refusal // every refusal has this form
      reject(new ApiError(request.status, error?.message ?? '', error?.details?.code))
    }
    request.send(body)
  })
