import { type Query, request } from '../api.ts'

/** A file of the library, as its endpoints have it: without an envelope. */
export interface LibraryFile {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly mime: string
  readonly ext: string | null
  /** Kilobytes. */
  readonly size: number
  readonly alternativeText: string | null
  readonly caption: string | null
  readonly width: number | null
  readonly height: number | null
  readonly formats: Readonly<Record<string, { readonly url?: string }>> | null
  /** The path of its folder, `/3/17`; `/` outside of all. */
  readonly folderPath?: string
  /** Only where the server has the option `focalPoint`. */
  readonly focalPoint?: FocalPoint | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** In percent, from the upper left. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

/** Of `allowedTypes`: `images`, `videos`, `audios` and `files`. */
export type Kinds = readonly string[] | undefined

/** The files that a page of the library shows. */
export interface FileQuery {
  /** The path of a folder; `/` is the place outside of all. A search goes through the folders in it as well. */
  readonly path: string
  readonly search: string
  readonly kinds: Kinds
}

export const perPage = 48

/** The folder of a path and all in it; `undefined` for the whole library. */
export const withinFolder = (path: string): Query | undefined =>
  path === '/'
    ? undefined
    : { $or: [{ folderPath: { $eq: path } }, { folderPath: { $startsWith: `${path}/` } }] }

const mimeOf: Readonly<Record<string, string>> = { images: 'image/', videos: 'video/', audios: 'audio/' }

function ofKinds(kinds: Kinds): Query | undefined {
  if (kinds === undefined) return undefined
  const named = kinds.flatMap((kind) => mimeOf[kind] ?? [])
  const others = Object.values(mimeOf).map((start) => ({ $not: { mime: { $startsWith: start } } }))
  const parts: Query[] = named.map((start) => ({ mime: { $startsWith: start } }))
  return { $or: kinds.includes('files') ? [...parts, { $and: others }] : parts }
}

const found = (words: string): Query => ({
  $or: ['name', 'alternativeText', 'caption'].map((name) => ({ [name]: { $containsi: words } })),
})

export async function findFiles(
  { path, search, kinds }: FileQuery,
  start: number,
  signal: AbortSignal,
): Promise<readonly LibraryFile[]> {
  const parts = [
    search === '' ? { folderPath: { $eq: path } } : withinFolder(path),
    search === '' ? undefined : found(search),
    ofKinds(kinds),
  ].filter((part) => part !== undefined)
  const query = {
    sort: ['createdAt:desc', 'id:desc'],
    // One more than a page tells whether there is a next one.
    pagination: { start, limit: perPage + 1 },
    ...(parts.length > 0 && { filters: { $and: parts } }),
  }
  return (await request<readonly LibraryFile[]>('GET', 'files', { signal, query })).body
}

/** The texts and the place of a file; absent ones stay. */
export interface FileInfo {
  readonly name?: string
  readonly alternativeText?: string
  readonly caption?: string
  readonly focalPoint?: FocalPoint | null
}

const formOf = (info: FileInfo, file?: File): FormData => {
  const body = new FormData()
  body.append('fileInfo', JSON.stringify(info))
  if (file) body.append('files', file, file.name)
  return body
}

/** Changes the name and the texts of a file. @throws ApiError */
export const describeFile = async (id: number, info: FileInfo): Promise<LibraryFile> =>
  (await request<LibraryFile>('POST', 'files', { query: { id }, body: formOf(info) })).body

/** Puts another file in the place of a file, whose address stays. @throws ApiError */
export const replaceFile = async (id: number, name: string, file: File): Promise<LibraryFile> =>
  (await request<LibraryFile>('POST', 'files', { query: { id }, body: formOf({ name }, file) })).body

export const deleteFile = (id: number): Promise<unknown> => request('DELETE', `files/${id}`)

/** A small picture of a file; `undefined` for files that are no pictures. */
export const thumbOf = (file: LibraryFile): string | undefined =>
  file.mime.startsWith('image/')
    ? fresh(file, file.formats?.thumbnail?.url ?? file.formats?.small?.url ?? file.url)
    : undefined

/** The address of a file of this server, which changes when the file is replaced. Addresses of other hosts may be signed. */
export const fresh = ({ updatedAt }: LibraryFile, url: string): string =>
  url.startsWith('/') ? `${url}?v=${Date.parse(updatedAt)}` : url
