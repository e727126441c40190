import type { Readable } from 'node:stream'

/**
 * Where the bytes of files are kept: a disk, a bucket. Keys are flat names of ASCII letters, digits, `_`, `-` and `.`,
 * at most 200 characters, that the plugin makes; none of them comes from a client.
 */
export interface StorageProvider {
  /** What files say in `provider`: `local`. */
  readonly name: string
  /** The folder where uploads arrive, for one that can move files from there. Default: the system's own for temporary files. */
  readonly incoming?: string
  /** Called once, before anything else. @throws when it cannot work: the server does not start. */
  start?(): Promise<void>
  /** Keeps a file; one of that key is replaced, all of it or not at all. @throws when it could not; nothing is left then. */
  put(key: string, file: StoredFile): Promise<void>
  /** The address that answers give, of a key that is kept: absolute, or below the server's own root. */
  url(key: string): string
  /** What is kept; `undefined` when there is none. */
  open(key: string): Promise<OpenedFile | undefined>
  /** Removes it; nothing happens when there is none. */
  delete(key: string): Promise<void>
  /** All keys that begin so, in no order. */
  list(prefix: string): AsyncIterable<ListedFile>
  /** How `/uploads/<key>` is answered. Absent: not at all, since `url` leads elsewhere. */
  readonly serving?: Serving
}

export type Serving =
  /** The file of that name in this folder. */
  | { readonly kind: 'folder'; readonly folder: string }
  /** An address that is good for a while, to be sent on to. */
  | { readonly kind: 'redirect'; readonly address: (key: string) => Promise<string> }

export interface StoredFile {
  /** A file on the disk, which the provider may move away. */
  readonly path: string
  readonly mime: string
  /** Bytes. */
  readonly size: number
}

export interface OpenedFile {
  /** Bytes. */
  readonly size: number
  readonly stream: Readable
}

export interface ListedFile {
  readonly key: string
  /** Bytes. */
  readonly size: number
  readonly modified: Date
}
