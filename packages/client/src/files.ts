import type { CallOptions, Selected } from './options.ts'
import type { Transport } from './transport.ts'
import { type UploadProgress, uploadFetch } from './upload-fetch.ts'

/** A smaller version of a picture. */
export interface FileFormat {
  readonly url: string
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** Kilobytes of 1,000 bytes. */
  readonly size: number
  readonly name: string
  readonly hash: string
  readonly ext: string
  readonly mime: string
}

/** A file of the server. */
export interface StoredFile {
  readonly id: number
  readonly name: string
  readonly alternativeText: string | null
  readonly caption: string | null
  /** Pixels, of pictures. */
  readonly width: number | null
  readonly height: number | null
  /** Smaller versions of a picture, by their name; a small picture lacks some. */
  readonly formats: { readonly [name: string]: FileFormat | undefined } | null
  readonly hash: string
  readonly ext: string | null
  readonly mime: string
  /** Kilobytes. */
  readonly size: number
  /** See `address` for a complete address. */
  readonly url: string
  /** The entries that have the file, where `populate` names `related`: the uid, the id, and the selected fields. */
  readonly related?: readonly {
    readonly __type: string
    readonly id: number
    readonly [field: string]: unknown
  }[]
  readonly [key: string]: unknown
}

export interface FileInfo {
  readonly name?: string
  readonly alternativeText?: string | null
  readonly caption?: string | null
}

export interface UploadOptions extends CallOptions {
  /** One for each file, or one for a single file. */
  readonly info?: FileInfo | readonly FileInfo[]
  /** The media attribute of an entry that the files are added to; `type` is the uid of its content-type. */
  readonly attachTo?: { readonly type: string; readonly id: number; readonly field: string }
  /** Called while the files are sent; in browsers at their end only, where the client has a `fetch` of its own. */
  readonly onProgress?: (progress: UploadProgress) => void
}

type Query = Readonly<Record<string, unknown>>

export interface FilesApi {
  /**
   * Uploads files. In Node, `openAsBlob` of `node:fs` gives a file that is read while it is sent.
   *
   * @throws OctavoError; no file is stored then
   */
  upload(files: Blob | readonly Blob[], options?: UploadOptions): Promise<readonly StoredFile[]>
  /** Changes the name, the alternative text or the caption. */
  updateInfo(id: number, info: FileInfo, options?: CallOptions): Promise<StoredFile>
  /** Replaces the content; the address stays. */
  replace(id: number, file: Blob, options?: Omit<UploadOptions, 'attachTo'>): Promise<StoredFile>
  find<const Q extends Query = Query>(
    query?: Q,
    options?: CallOptions,
  ): Promise<readonly Selected<StoredFile, Q>[]>
  findOne<const Q extends Query = Query>(
    id: number,
    query?: Q,
    options?: CallOptions,
  ): Promise<Selected<StoredFile, Q>>
  delete(id: number, options?: CallOptions): Promise<StoredFile>
  /** The complete address of a `url`, which begins with `/` where the server serves the files itself. */
  address(url: string): string
}

export function filesOf(transport: Transport): FilesApi {
  const path = '/upload/files'
  const post = <T>(
    files: readonly Blob[],
    { info = [], attachTo, onProgress, ...options }: UploadOptions = {},
    query?: Query,
  ): Promise<T> => {
    const form = new FormData()
    for (const file of files) form.append('files', file)
    if (attachTo) {
      form.append('ref', attachTo.type)
      form.append('refId', String(attachTo.id))
      form.append('field', attachTo.field)
    }
    const infos = [info].flat()
    if (infos.length > 0) form.append('fileInfo', JSON.stringify(infos))
    return transport.send({
      path: '/upload',
      method: 'POST',
      query,
      body: form,
      // Other requests set values, so they may be sent again; they do not observe a key.
      repeatable: query === undefined,
      options: { timeout: 0, ...options },
      ...(onProgress && { wrap: (fetch, isOwn) => uploadFetch(fetch, isOwn, form, onProgress) }),
    })
  }
  return {
    upload: (files, options) => post([files].flat() as Blob[], options),
    updateInfo: (id, info, options) => post([], { ...options, info }, { id }),
    replace: (id, file, options) => post([file], options, { id }),
    find: (query, options) => transport.send({ path, query, options }),
    findOne: (id, query, options) =>
      transport.send({ path: `${path}/${encodeURIComponent(id)}`, query, options }),
    delete: (id, options) =>
      transport.send({ path: `${path}/${encodeURIComponent(id)}`, method: 'DELETE', options }),
    address: (url) => transport.address(url),
  }
}
