/**
 * Stores the bytes of files, on a disk or in a bucket. Keys are flat names of ASCII letters, digits, `_`, `-` and `.`, at
 * most 200 characters for new files. The plugin generates them; none comes from a client.
 */
export interface StorageProvider {
  /** The value of the attribute `provider` of its files: `local`. */
  readonly name: string
  /**
   * The folder where uploads arrive, for a provider that moves files from there. A server makes it when it starts, and removes what killed
   * processes left in it. Default: the system's temporary folder.
   */
  readonly incoming?: string
  /**
   * Runs once, before all other methods except `url`: at the start of a server, and in a command before its first use of the storage.
   * @throws when the storage cannot be used; the server then does not start.
   */
  start?(): Promise<void>
  /** Stores a file atomically, in place of one with the same key. @throws when that fails; nothing is changed then. */
  put(key: string, file: StoredFile): Promise<void>
  /** The address of a stored file in responses: absolute, or relative to the server's root. */
  url(key: string): string
  /** Opens a stored file; `undefined` when there is none. */
  open(key: string): Promise<OpenedFile | undefined>
  /** Deletes a stored file, if there is one. */
  delete(key: string): Promise<void>
  /** All files whose keys begin with `prefix`, in no order. */
  list(prefix: string): AsyncIterable<ListedFile>
  /**
   * The way in which the server answers `/uploads/<key>`: from a folder, or with a redirect. Absent: it does not, because `url` leads to another
   * server or to a route of a plugin.
   */
  readonly serving?: Serving
}

export type Serving =
  /** With the file of that name in this folder. */
  | { readonly kind: 'folder'; readonly folder: string }
  /** With a redirect to an address that is valid for a limited time, and for the method of the request if it is signed for one. */
  | {
      readonly kind: 'redirect'
      readonly address: (key: string, method: 'GET' | 'HEAD') => Promise<string>
    }

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
  /** The bytes, such as a `Readable` of Node.js. */
  readonly stream: FileStream
}

/**
 * The bytes of a file, such as a `Readable` of Node.js. Declared here because front ends load this plugin's declarations for the
 * types of files, and have no types of Node.js.
 */
export interface FileStream extends AsyncIterable<Uint8Array> {
  /** Closes the file. Runs when the bytes are not read to their end. */
  destroy(): unknown
}

export interface ListedFile {
  /** The key with which it was stored. */
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** When it was stored. A file without a row is removed by `octavo media check --delete` once it is an hour old. */
  readonly modified: Date
}
