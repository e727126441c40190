/** The questions of the library of files. The document has its first ones, so that browsers ask them while they load the page. */
import { type Query, queryText } from './query-text.ts'

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

/** The query of a page of files. @param start How many are before it. */
export function filesQuery({ path, search, kinds }: FileQuery, start: number): Query {
  const parts = [
    search === '' ? { folderPath: { $eq: path } } : withinFolder(path),
    search === '' ? undefined : found(search),
    ofKinds(kinds),
  ].filter((part) => part !== undefined)
  return {
    sort: ['createdAt:desc', 'id:desc'],
    // One more than a page tells whether there is a next one.
    pagination: { start, limit: perPage + 1 },
    ...(parts.length > 0 && { filters: { $and: parts } }),
  }
}

/** The folders with what a tree shows of them: there may be thousands. */
export const allFolders = 'folders?fields=name,parent'

/** The files outside of all folders. */
export const outside: FileQuery = { path: '/', search: '', kinds: undefined }

/** Paths below `/desk/api` that the page asks for first, outside of all folders. */
export const firstOfLibrary: readonly string[] = [allFolders, `files?${queryText(filesQuery(outside, 0))}`]
