import { createReadStream, createWriteStream, openSync } from 'node:fs'
import { chmod, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Octavo, sql, type Transaction } from '@octavo/core'
import { readEntries, withPath } from '@octavo/core/internal'
import { type Pack, pack } from 'tar-stream'
import { fileUid, isOfEditors, localeUid } from '../model/uids.ts'
import type { Data } from '../records.ts'
import { removeName, temporaryFolder } from '../scratch/scratch.ts'
import { addAssets } from './assets.ts'
import { entityOf } from './entity.ts'
import { FolderRows } from './folder-rows.ts'
import { LineFile } from './line-file.ts'
import { LinkRows } from './link-rows.ts'
import { schemaLines } from './schema-lines.ts'

export interface ExportStrapiOptions {
  /** The folder of the media library's files. Default: the archive has their rows and not their bytes. */
  readonly media?: string
  /** Stops the export, which leaves no file then. */
  readonly signal?: AbortSignal
}

export interface ExportStrapiResult {
  readonly entries: number
  readonly links: number
  /** Files whose bytes are not in the folder. */
  readonly missing: readonly string[]
}

/** The version of Strapi in whose form archives are written. */
const version = '4.26.2'

/**
 * Writes everything that a version 4 server can take as an archive for `strapi import`. It reads a snapshot of the database. The target's schemas differ from these in details; give `--force` there.
 *
 * @param file Ends in `.tar.gz`, as `strapi import` requires.
 */
export async function exportStrapi(
  octavo: Octavo,
  file: string,
  { media, signal }: ExportStrapiOptions = {},
): Promise<ExportStrapiResult> {
  const folder = temporaryFolder()
  const unfinished = `${file}.${process.pid}.part`
  try {
    const tar = pack()
    const written = pipeline(tar, createGzip(), createWriteStream(unfinished, { mode: 0o600 })).catch(
      (error: unknown) => {
        throw withPath(error, unfinished)
      },
    )
    // The error is handled below; without this it would be an unhandled rejection until then.
    written.catch(() => {})
    const result = await octavo.store.transaction(async (tx) => {
      await tx.run(sql`set transaction isolation level repeatable read, read only`)
      await tx.liftTimeLimits()
      return writeParts(octavo, tx, tar, folder, { media, signal })
    })
    tar.finalize()
    await written
    signal?.throwIfAborted()
    // An archive that is replaced keeps the mode that somebody gave it.
    const former = await stat(file).catch(() => undefined)
    if (former) await chmod(unfinished, former.mode)
    await rename(unfinished, file)
    return result
  } finally {
    await rm(unfinished, { force: true })
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeParts(
  { registry, sections }: Octavo,
  tx: Transaction,
  tar: Pack,
  folder: string,
  { media, signal }: { readonly media: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<ExportStrapiResult> {
  await addLines(tar, folder, 'schemas', async (lines) => {
    for (const line of schemaLines(registry)) await lines.add(line)
  })
  const links = new LinkRows(registry)
  const folders = new FolderRows((await sections.get('folders')?.export(tx)) ?? [])
  const files: Data[] = []
  let defaultLocale = 'en'
  try {
    const entries = await addLines(tar, folder, 'entities', async (lines) => {
      // An archive has no administrators.
      const types = [...registry.contentTypes.values()].filter(({ uid }) => !isOfEditors(uid))
      for (const type of types) {
        for await (const batch of readEntries(tx, registry, type)) {
          signal?.throwIfAborted()
          links.add(type, batch)
          for (const values of batch) {
            if (type.uid === localeUid && values.isDefault === true) defaultLocale = String(values.code)
            const entity = entityOf(type, values, registry)
            const data = type.uid === fileUid ? folders.place(entity.id, entity.data) : entity.data
            if (type.uid === fileUid) files.push({ id: entity.id, ...data })
            await lines.add({ ...entity, data })
          }
        }
      }
      for (const row of folders.entities()) await lines.add(row)
    })
    const missing = media === undefined ? [] : await addAssets(tar, files, media, signal)
    const count = await addLines(tar, folder, 'links', async (lines) => {
      for (const link of links.all()) await lines.add(link)
      for (const link of folders.links()) await lines.add(link)
    })
    await addLines(tar, folder, 'configuration', (lines) =>
      lines.add({
        type: 'core-store',
        value: {
          id: 1,
          key: 'plugin_i18n_default_locale',
          value: defaultLocale,
          type: 'string',
          environment: null,
          tag: null,
        },
      }),
    )
    tar.entry(
      { name: 'metadata.json' },
      JSON.stringify({ createdAt: new Date().toISOString(), strapi: { version } }, null, 2),
    )
    return { entries, links: count, missing }
  } finally {
    links.close()
  }
}

/** A part with lines of JSON. It is written beside the archive first, for a tar has the size before the content. */
async function addLines(
  tar: Pack,
  folder: string,
  name: string,
  write: (lines: LineFile) => Promise<void>,
): Promise<number> {
  const part = path.join(folder, name)
  const lines = new LineFile(part)
  const content = createReadStream(part, { fd: openSync(part, 'r') })
  removeName(part)
  try {
    await write(lines)
    const count = await lines.close()
    // A part without a line is left out.
    if (count === 0) return 0
    await pipeline(content, tar.entry({ name: `${name}/${name}_00001.jsonl`, size: lines.size }))
    return count
  } finally {
    lines.destroy()
    content.destroy()
  }
}
