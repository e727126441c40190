import { PassThrough, type Readable } from 'node:stream'
import { isObject } from '@octavo/core/internal'
import { extract, type Header } from 'tar-stream'
import type { Data, EntityRecord, LinkRecord, Schema, StoreItem } from '../records.ts'
import { findLayers, type Layers, openTar } from './layers.ts'
import { LineError, linesOf } from './lines.ts'
import type { Outline, Source, SourceFile } from './source.ts'
import { SourceError } from './source-error.ts'

/** The folders of an archive with lines of JSON. */
type Folder = 'schemas' | 'entities' | 'links' | 'configuration'

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
    let metadata: Data | undefined
    let bytes = 0
    for await (const { path, entry } of this.#entries()) {
      if (path === 'metadata.json') metadata = await this.#metadata(entry)
      else if (folderOf(path) === 'schemas' || folderOf(path) === 'configuration') {
        bytes += entry.header.size ?? 0
        if (bytes > maxOutlineBytes)
          throw new SourceError(
            `${this.name}: its schemas and settings have more than ${maxOutlineBytes / 1024 / 1024} MiB.`,
          )
      }
      if (folderOf(path) === 'schemas')
        for await (const batch of this.#json(path, entry))
          schemas.push(...batch.map((line) => this.#schema(line)))
      else if (folderOf(path) === 'configuration')
        for await (const batch of this.#json(path, entry)) settings.push(...batch.flatMap(storeItem))
    }
    // It is written last, so its absence means a truncated archive that gzip and the cipher do not detect.
    if (!metadata)
      throw new SourceError(
        `${this.name} has no metadata.json, with which every export ends: it is cut short, or it is no export.`,
      )
    if (schemas.length === 0)
      throw new SourceError(`${this.name} has no schemas: it is no export of a project.`)
    const { strapi } = metadata
    const version = isObject(strapi) && typeof strapi.version === 'string' ? strapi.version : undefined
    if (version !== undefined && !version.startsWith('4.'))
      throw new SourceError(`${this.name} was written by version ${version}; only version 4 can be imported.`)
    return { version, schemas, settings, apiTokens: [], leftBehind: undefined, notes: [] }
  }

  entities(): AsyncIterable<readonly EntityRecord[]> {
    return this.#records('entities', (value) => {
      return typeof value.type === 'string' && Number.isInteger(value.id) && isObject(value.data)
    })
  }

  links(): AsyncIterable<readonly LinkRecord[]> {
    const isEnd = (end: unknown): boolean =>
      isObject(end) && typeof end.type === 'string' && Number.isInteger(end.ref)
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

  #schema(line: unknown): Schema {
    if (isObject(line) && typeof line.uid === 'string' && isObject(line.attributes))
      return line as unknown as Schema
    throw new SourceError(`${this.name}: a line of schemas has no "uid" and "attributes".`)
  }

  async *#records<T>(folder: Folder, isRecord: (value: Data) => boolean): AsyncGenerator<readonly T[]> {
    for await (const { path, entry } of this.#entries()) {
      if (folderOf(path) !== folder) continue
      for await (const batch of this.#json(path, entry)) {
        const wrong = batch.find((value) => !isObject(value) || !isRecord(value))
        if (wrong !== undefined)
          throw new SourceError(
            `${this.name}, ${path}: a line is no record of ${folder}: ${JSON.stringify(wrong).slice(0, 120)}`,
          )
        yield batch as readonly T[] // the test above looked at each
      }
    }
  }

  async *#json(path: string, entry: Entry): AsyncGenerator<readonly unknown[]> {
    try {
      for await (const lines of linesOf(entry)) {
        yield lines.map(({ number, text }): unknown => {
          try {
            return JSON.parse(text)
          } catch (error) {
            throw new SourceError(`${this.name}, ${path}, line ${number}: is no JSON.`, error)
          }
        })
      }
    } catch (error) {
      if (error instanceof LineError)
        throw new SourceError(`${this.name}, ${path}: ${error.message}, and no record is.`, error)
      throw error
    }
  }

  /** @throws SourceError for one that is too large, or no object. */
  async #metadata(entry: Entry): Promise<Data> {
    if ((entry.header.size ?? 0) > maxMetadataBytes)
      throw new SourceError(`${this.name}: its metadata.json has more than ${maxMetadataBytes / 1024} KiB.`)
    const value = await textOf(entry)
      .then((text): unknown => JSON.parse(text))
      .catch(() => undefined)
    if (!isObject(value)) throw new SourceError(`${this.name}: its metadata.json is no JSON object.`)
    return value
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
      if (error instanceof SourceError) throw error
      throw new SourceError(`${this.name} is cut short or damaged: ${(error as Error).message}.`, error)
    } finally {
      source.destroy()
    }
  }
}

const folderOf = (path: string): string | undefined => /^(\w+)\/[^/]+\.jsonl$/.exec(path)?.[1]

function storeItem(line: unknown): readonly StoreItem[] {
  if (!isObject(line) || line.type !== 'core-store' || !isObject(line.value)) return []
  const { key, value } = line.value
  return typeof key === 'string' ? [{ key, value }] : []
}

async function textOf(entry: Entry): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of entry.pipe(new PassThrough())) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
