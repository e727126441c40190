import type { Readable } from 'node:stream'
import type {
  ApiTokenRecord,
  CreatorRecord,
  EditorRecords,
  EntityRecord,
  LinkRecord,
  Schema,
  StoreItem,
  WebhookRecord,
} from '../records.ts'

/** A project to import. Each of its lists can be read any number of times, and is the same each time. */
export interface Source {
  /** For messages: the path of an archive, the address of a database without its password. */
  readonly name: string
  /** The parts that fit into memory: schemas and settings. */
  outline(): Promise<Outline>
  /** Entries in batches, in any order. */
  entities(): AsyncIterable<readonly EntityRecord[]>
  /** Links in batches. Their order decides between links that have the same position. */
  links(): AsyncIterable<readonly LinkRecord[]>
  /** The editors who made and changed entries, in batches. An archive does not have it. */
  creators?(): AsyncIterable<readonly CreatorRecord[]>
  /** The files of the media library. The stream of a file must be read before the next file is requested. */
  files(): AsyncIterable<SourceFile>
  close(): Promise<void>
}

export interface Outline {
  /** `4.26.2`; `undefined` when the source has no version. */
  readonly version: string | undefined
  readonly schemas: readonly Schema[]
  readonly settings: readonly StoreItem[]
  readonly apiTokens: readonly ApiTokenRecord[]
  readonly webhooks: readonly WebhookRecord[]
  /** Administrators and their roles; absent for an archive, which lacks them. */
  readonly editors?: EditorRecords
  /** Numbers of rows that are not imported, by kind: `administrators`. `undefined` for an archive, which lacks them. */
  readonly leftBehind: Readonly<Record<string, number>> | undefined
  /** Attributes and rules of the schemas that could only be guessed. */
  readonly notes: readonly string[]
}

export interface SourceFile {
  /** Base name: `picture_1a2b3c.png`. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  open(): Readable
}
