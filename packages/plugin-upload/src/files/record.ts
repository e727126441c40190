import path from 'node:path'
import { isObject } from '@octavo/core/internal'
import type { EntryInput } from '@octavo/core/plugin'
import type { Picture } from '../codec/jobs.ts'
import type { StorageProvider } from '../storage/provider.ts'

/** A file on the disk with the key that the provider stores it under. */
export interface StoredPart {
  readonly key: string
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** The parts of a file that the provider stores. */
export interface FileParts {
  readonly mime: string
  /** The file itself, then its formats. */
  readonly parts: readonly StoredPart[]
}

/** A checked file with the row that will describe it. The provider does not have it yet. */
export interface PreparedFile extends FileParts {
  readonly row: EntryInput
}

/** The columns of a file's row from which its keys and its pictures follow. */
export interface FileRow {
  readonly id: number
  readonly name: string
  readonly hash: string
  readonly ext: string | null
  readonly mime: string
  readonly formats: unknown
  /** Set while its formats are still to be made. */
  readonly pendingFormats: string | null
  readonly updatedAt: string | null
  /** Set with the option `focalPoint` only. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null
  /** The path of the folder; `/` outside of all folders. Read by `isInFolder` only. */
  readonly folderPath?: string | null
}

/** An entry of `formats`. Source: the records of the exchanges of group `upload`. */
interface Format {
  readonly ext: string
  readonly url: string
  readonly hash: string
  readonly mime: string
  readonly name: string
  readonly path: null
  /** Kilobytes. */
  readonly size: number
  readonly width: number
  readonly height: number
  readonly sizeInBytes: number
}

export interface FileNames {
  readonly name: string
  readonly hash: string
  readonly ext: string
  readonly mime: string
}

/** The smaller pictures of a file, as the provider stores them and as the row lists them. */
export function formatsOf(
  { name, hash, ext, mime }: FileNames,
  pictures: ReadonlyMap<string, Picture>,
  provider: StorageProvider,
): { readonly parts: readonly StoredPart[]; readonly formats: Readonly<Record<string, Format>> | null } {
  const parts: StoredPart[] = []
  const formats: [string, Format][] = []
  for (const [format, { path, width, height, size }] of pictures) {
    const key = `${format}_${hash}${ext}`
    parts.push({ key, path, size })
    formats.push([
      format,
      {
        name: `${format}_${name}`,
        hash: `${format}_${hash}`,
        ext,
        mime,
        path: null,
        width,
        height,
        size: kilobytes(size),
        sizeInBytes: size,
        url: provider.url(key),
      },
    ])
  }
  return { parts, formats: formats.length > 0 ? Object.fromEntries(formats) : null }
}

/** The columns of a row that name its stored parts. */
interface NamingRow {
  readonly hash: string
  readonly ext: string | null
  readonly formats: unknown
}

/** A stored part of a file: its key, and the last part of its address, which is another in some imported rows. */
export interface NamedPart {
  readonly key: string
  readonly addressed: string
}

/** The parts of a file and of its formats, from its row. */
export function partsOf(row: NamingRow & { readonly url?: string }): readonly NamedPart[] {
  // The plugin writes `formats` itself, but that of an import may be any value.
  const formats = isObject(row.formats) ? Object.values(row.formats).filter(isObject) : []
  return [row, ...formats].flatMap(({ hash, ext, url }) => {
    if (typeof hash !== 'string') return []
    const key = `${hash}${typeof ext === 'string' ? ext : ''}`
    return [
      { key, addressed: typeof url === 'string' ? path.posix.basename(url.replace(/[?#].*/s, '')) : key },
    ]
  })
}

/** The keys of a file and of its formats, from its row. */
export const keysOf = (row: NamingRow): readonly string[] => partsOf(row).map(({ key }) => key)

/** Kilobytes of 1,000 bytes, with two places. */
export const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100
