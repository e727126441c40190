import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import type { EntityRecord, LinkRecord, Schema } from '../src/index.ts'
import { fixture } from './fixture.ts'

/** The lines of an archive, to be changed. */
export interface Lines {
  schemas: Schema[]
  entities: EntityRecord[]
  links: LinkRecord[]
  /** Settings and webhooks. */
  configuration: object[]
}

/** The files of the fixture, by their names. */
async function unpacked(): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const entries = extract()
  const done = pipeline(createReadStream(fixture('export.tar.gz')), createGunzip(), entries)
  for await (const entry of entries) files.set(entry.header.name, await buffer(entry))
  await done
  return files
}

async function packedTo(file: string, files: Iterable<readonly [string, Buffer]>): Promise<void> {
  const packed = pack()
  for (const [name, content] of files) packed.entry({ name }, content)
  packed.finalize()
  await pipeline(packed, createGzip(), createWriteStream(file))
}

/** Writes another archive of the fixture, with other schemas, entries and links. */
export async function changedArchive(file: string, change: (lines: Lines) => void): Promise<void> {
  const files = await unpacked()
  const lines = {
    schemas: read<Schema>(files, 'schemas/schemas_00001.jsonl'),
    entities: read<EntityRecord>(files, 'entities/entities_00001.jsonl'),
    links: read<LinkRecord>(files, 'links/links_00001.jsonl'),
    configuration: read<object>(files, 'configuration/configuration_00001.jsonl'),
  }
  change(lines)
  files.set('schemas/schemas_00001.jsonl', written(lines.schemas))
  files.set('entities/entities_00001.jsonl', written(lines.entities))
  files.set('links/links_00001.jsonl', written(lines.links))
  files.set('configuration/configuration_00001.jsonl', written(lines.configuration))
  await packedTo(file, files)
}

/** Writes an archive of the fixture without some folders, as the options `--only` and `--exclude` of `strapi export` leave them out. */
export async function partialArchive(file: string, without: readonly string[]): Promise<void> {
  const files = await unpacked()
  await packedTo(
    file,
    [...files].filter(([name]) => !without.some((folder) => name.startsWith(`${folder}/`))),
  )
}

/** Writes another archive of the fixture, in which a file has another name. */
export async function renamedArchive(file: string, from: string, to: string): Promise<void> {
  const files = await unpacked()
  await packedTo(
    file,
    [...files].map(([name, content]) => [name === from ? to : name, content] as const),
  )
}

/**
 * Writes an archive of the fixture of which one file has a single line of so many mebibytes. Its compressed form repeats one
 * member of gzip, so that neither the test nor the disk holds the line.
 */
export async function unpackingTo(file: string, name: string, mebibytes: number): Promise<void> {
  const tar = gunzipSync(await readFile(fixture('export.tar.gz')))
  const header = headerOf(name, mebibytes * 1024 * 1024)
  const line = gzipSync(Buffer.alloc(1024 * 1024, 'x'))
  const lines = Array.from({ length: mebibytes }, () => line)
  // The files of the fixture follow.
  await writeFile(file, Buffer.concat([gzipSync(header), ...lines, gzipSync(tar)]))
}

/** The header of a file of a tar. Source: POSIX, pax, "ustar interchange format". */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(512)
  const fields: readonly [number, string][] = [
    [0, name],
    [100, '0000644\0'],
    [124, `${size.toString(8).padStart(11, '0')}\0`],
    [136, '00000000000\0'],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\u000000'],
  ]
  for (const [at, text] of fields) header.write(text, at)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const read = <T>(files: ReadonlyMap<string, Buffer>, name: string): T[] =>
  (files.get(name)?.toString('utf8') ?? '').split('\n').map((line) => JSON.parse(line) as T)

const written = (lines: readonly unknown[]): Buffer =>
  Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))
