import type { Readable } from 'node:stream'
import type { ApiTokenRecord, EntityRecord, LinkRecord, Schema, StoreItem } from '../records.ts'

/** A project to import. Each of its lists can be read any number of times, and is the same each time. */
export interface Source {
  /** For messages: the path of an archive, the address of a database without its password. */
  readonly name: string
  /** What is small: schemas and settings. */
  outline(): Promise<Outline>
  /** Entries in batches, in any order. */
  entities(): AsyncIterable<readonly EntityRecord[]>
  /** Links in batches. Their order decides between links that have the same position. */
  links(): AsyncIterable<readonly LinkRecord[]>
  /** The files of the media library. The stream of a file must be read before the next file is asked for. */
  files(): AsyncIterable<SourceFile>
  close(): Promise<void>
}

export interface Outline {
  /** `4.26.2`; `undefined` when the source does not say. */
  readonly version: string | undefined
  readonly schemas: readonly Schema[]
  readonly settings: readonly StoreItem[]
  readonly apiTokens: readonly ApiTokenRecord[]
  /** Rows that stay behind, by what they are: `administrators`. `undefined` in an archive, which does not count them. */
  readonly leftBehind: Readonly<Record<string, number>> | undefined
  /** Guesses that had to be made about the schemas. */
  readonly notes: readonly string[]
}

export interface SourceFile {
  /** Base name: `picture_1a2b3c.png`. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  open(): Readable
}
