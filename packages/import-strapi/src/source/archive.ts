import { PassThrough, type Readable } from 'node:stream'
import { isObject } from '@octavo/core/internal'
import { extract, type Header } from 'tar-stream'
import type { Data, EntityRecord, LinkRecord, Schema, StoreItem, WebhookRecord } from '../records.ts'
import { findLayers, type Layers, openTar } from './layers.ts'
import { LineError, linesOf } from './lines.ts'
import { Parts } from './parts.ts'
import { isSchema } from './schema.ts'
import type { Outline, Source, SourceFile } from './source.ts'
import { SourceError } from './source-error.ts'
import { webhookOf } from './webhook.ts'

/** The folders of an archive with lines of JSON. */
type Folder = 'schemas' | 'entities' | 'links' | 'configuration'

/** The form of the lines of each, for messages. */
const forms: Readonly<Record<Folder, string>> = {
  schemas: 'a schema has a "uid", and "attributes" that are objects',
  entities: 'an entry has a "type", a whole number as its "id", and an object as its "data"',
  links:
    'a link has a "left" and a "right", each with a "type", a whole number as its "ref" and no other "pos" than a number, and a "field" on the left',
  configuration: 'a setting is an object, and a webhook has a whole number as the "id" of its "value"',
}

/** Bytes of metadata.json, which has a dozen lines. */
const maxMetadataBytes = 1024 * 1024
/** Bytes of all schemas and settings, which are kept in memory. */
const maxOutlineBytes = 64 * 1024 * 1024

/** A file of the tar. */
type Entry = Readable & { readonly header: Header }

/** An archive of `strapi export`. It is read from its beginning for each list, and never as a whole in memory. */
export class Archive implements Source {
  readonly name: string
  readonly #layers: Layers

  private constructor(name: string, layers: Layers) {
    this.name = name
    this.#layers = layers
  }

  /** @throws SourceError */
  static async open(file: string, passphrase?: string): Promise<Archive> {
    return new Archive(file, await findLayers(file, passphrase))
  }

  async outline(): Promise<Outline> {
    const schemas: Schema[] = []
    const settings: StoreItem[] = []
    const webhooks: WebhookRecord[] = []
    let metadata: Data | undefined
    let bytes = 0
    let hasEntries = false
    const parts = new Parts()
    for await (const { path, entry } of this.#entries()) {
      parts.note(path)
      if (folderOf(path) === 'entities') hasEntries = true
      if (path === 'metadata.json') metadata = await this.#metadata(entry)
      else if (folderOf(path) === 'schemas' || folderOf(path) === 'configuration') {
        bytes += entry.header.size ?? 0
        if (bytes > maxOutlineBytes)
          throw new SourceError(
            `${this.name}: its schemas and settings have more than ${maxOutlineBytes / 1024 / 1024} MiB.`,
          )
      }
      if (folderOf(path) === 'schemas')
        for await (const batch of this.#json(path, entry, isSchema)) schemas.push(...batch)
      else if (folderOf(path) === 'configuration')
        for await (const batch of this.#json(path, entry, isSetting)) {
          settings.push(...batch.flatMap(storeItem))
          webhooks.push(
            ...batch.filter(({ type }) => type === 'webhook').map(({ value }) => webhookOf(value)),
          )
        }
    }
    // It is written last, so its absence means a truncated archive that gzip and the cipher do not detect.
    if (!metadata)
      throw new SourceError(
        `${this.name} has no metadata.json, with which every export ends: it is cut short, or it is no export.`,
      )
    if (schemas.length === 0)
      throw new SourceError(`${this.name} has no schemas: it is no export of a project.`)
    const missing = parts.missing()
    if (missing !== undefined)
      throw new SourceError(
        `${this.name} has no ${missing}, which other files of it need: it is not complete.`,
      )
    // Every project has roles and permissions.
    if (!hasEntries)
      throw new SourceError(
        `${this.name} has no entries, which every project has: strapi export was given --only or --exclude. Export the content, the files and the configuration.`,
      )
    const { strapi } = metadata
    const version = isObject(strapi) && typeof strapi.version === 'string' ? strapi.version : undefined
    if (version !== undefined && !version.startsWith('4.'))
      throw new SourceError(`${this.name} was written by version ${version}; only version 4 can be imported.`)
    return { version, schemas, settings, apiTokens: [], webhooks, leftBehind: undefined, notes: [] }
  }

  entities(): AsyncIterable<readonly EntityRecord[]> {
    return this.#records('entities', (value) => {
      return typeof value.type === 'string' && Number.isSafeInteger(value.id) && isObject(value.data)
    })
  }

  links(): AsyncIterable<readonly LinkRecord[]> {
    const isEnd = (end: unknown): boolean =>
      isObject(end) &&
      typeof end.type === 'string' &&
      Number.isSafeInteger(end.ref) &&
      typeof (end.pos ?? 0) === 'number'
    return this.#records('links', (value) => {
      return isEnd(value.left) && isEnd(value.right) && typeof (value.left as Data).field === 'string'
    })
  }

  async *files(): AsyncGenerator<SourceFile> {
    for await (const { path, entry } of this.#entries()) {
      const [, name] = /^assets\/uploads\/(.+)$/.exec(path) ?? []
      if (name) yield { name, size: entry.header.size ?? 0, open: () => entry }
    }
  }

  async close(): Promise<void> {}

  async *#records<T>(folder: Folder, isRecord: (value: Data) => boolean): AsyncGenerator<readonly T[]> {
    for await (const { path, entry } of this.#entries()) {
      if (folderOf(path) !== folder) continue
      yield* this.#json(path, entry, (value): value is T => isObject(value) && isRecord(value))
    }
  }

  /** The values of the lines. @throws SourceError for one that does not have the form of its folder. */
  async *#json<T>(
    path: string,
    entry: Entry,
    isRecord: (value: unknown) => value is T,
  ): AsyncGenerator<readonly T[]> {
    const form = forms[folderOf(path) as Folder]
    try {
      for await (const lines of linesOf(entry)) {
        yield lines.map(({ number, text }): T => {
          const value = jsonOf(text)
          if (isRecord(value)) return value
          const found = `${value === undefined ? 'no JSON: ' : ''}${text.slice(0, 120)}`
          throw new SourceError(`${this.name}, ${path}, line ${number}: ${form}, and this is ${found}`)
        })
      }
    } catch (error) {
      if (error instanceof LineError)
        throw new SourceError(`${this.name}, ${path}: ${error.message}, and no record is.`, error)
      throw this.#damaged(error)
    }
  }

  /** @throws SourceError for one that is too large, or no object. */
  async #metadata(entry: Entry): Promise<Data> {
    if ((entry.header.size ?? 0) > maxMetadataBytes)
      throw new SourceError(`${this.name}: its metadata.json has more than ${maxMetadataBytes / 1024} KiB.`)
    const text = await textOf(entry).catch((error: unknown) => {
      throw this.#damaged(error)
    })
    const value = jsonOf(text)
    if (!isObject(value)) throw new SourceError(`${this.name}: its metadata.json is no JSON object.`)
    return value
  }

  /** An error of the tar or of its layers, which the stream of a file has as well. */
  #damaged(error: unknown): SourceError {
    return error instanceof SourceError
      ? error
      : new SourceError(`${this.name} is cut short or damaged: ${(error as Error).message}.`, error)
  }

  /** The files of the tar, one after another; unread content is skipped. */
  async *#entries(): AsyncGenerator<{ readonly path: string; readonly entry: Entry }> {
    const tar = extract()
    const source = openTar(this.name, this.#layers)
    source.on('error', (error) => tar.destroy(error))
    source.pipe(tar)
    try {
      for await (const entry of tar) {
        // Archives that were written on Windows have \ in their paths, and some have two slashes.
        const path = entry.header.name
          .replaceAll('\\', '/')
          .replace(/\/{2,}/g, '/')
          .replace(/^\.?\//, '')
        // The stream of streamx reads as one of node's.
        if (entry.header.type === 'file') yield { path, entry: entry as unknown as Entry }
        entry.resume()
      }
    } catch (error) {
      throw this.#damaged(error)
    } finally {
      source.destroy()
    }
  }
}

const folderOf = (path: string): string | undefined => /^(\w+)\/[^/]+\.jsonl$/.exec(path)?.[1]

/** A line of the configuration. */
interface Setting {
  readonly type?: unknown
  readonly value: Data
}

const isSetting = (line: unknown): line is Setting =>
  isObject(line) && (line.type !== 'webhook' || (isObject(line.value) && Number.isSafeInteger(line.value.id)))

function storeItem(line: Setting): readonly StoreItem[] {
  if (line.type !== 'core-store' || !isObject(line.value)) return []
  const { key, value } = line.value
  return typeof key === 'string' ? [{ key, value }] : []
}

/** `undefined` for text that is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function textOf(entry: Entry): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of entry.pipe(new PassThrough())) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
