import { createReadStream, createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import type { EntityRecord, LinkRecord, Schema } from '../src/index.ts'
import { fixture } from './fixture.ts'

/** The lines of an archive, to be changed. */
export interface Lines {
  schemas: Schema[]
  entities: EntityRecord[]
  links: LinkRecord[]
}

/** Writes another archive of the fixture, with other schemas, entries and links. */
export async function changedArchive(file: string, change: (lines: Lines) => void): Promise<void> {
  const files = new Map<string, Buffer>()
  const unpacked = extract()
  const done = pipeline(createReadStream(fixture('export.tar.gz')), createGunzip(), unpacked)
  for await (const entry of unpacked) files.set(entry.header.name, await buffer(entry))
  await done
  const lines = {
    schemas: read<Schema>(files, 'schemas/schemas_00001.jsonl'),
    entities: read<EntityRecord>(files, 'entities/entities_00001.jsonl'),
    links: read<LinkRecord>(files, 'links/links_00001.jsonl'),
  }
  change(lines)
  files.set('schemas/schemas_00001.jsonl', written(lines.schemas))
  files.set('entities/entities_00001.jsonl', written(lines.entities))
  files.set('links/links_00001.jsonl', written(lines.links))
  const packed = pack()
  for (const [name, content] of files) packed.entry({ name }, content)
  packed.finalize()
  await pipeline(packed, createGzip(), createWriteStream(file))
}

const read = <T>(files: ReadonlyMap<string, Buffer>, name: string): T[] =>
  (files.get(name)?.toString('utf8') ?? '').split('\n').map((line) => JSON.parse(line) as T)

const written = (lines: readonly unknown[]): Buffer =>
  Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))
