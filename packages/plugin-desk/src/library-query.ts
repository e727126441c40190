/** The questions of the library of files. The document has its first ones, so that browsers ask them while they load the page. */
import { type Query, queryText } from './query-text.ts'

/** Of `allowedTypes`: `images`, `videos`, `audios` and `files`. */
export type Kinds = readonly string[] | undefined

/** The orders of files by their names. Files that are equal in one are in the order of their ids. */
export const fileOrders = {
  newest: 'createdAt:desc',
  oldest: 'createdAt:asc',
  byName: 'name:asc',
  byNameDown: 'name:desc',
  largest: 'size:desc',
  smallest: 'size:asc',
  byType: 'mime:asc',
} as const
export type FileOrder = keyof typeof fileOrders

/** The files that a page of the library shows. */
export interface FileQuery {
  /** The path of a folder; `/` is the place outside of all. A search goes through the folders in it as well. */
  readonly path: string
  readonly search: string
  readonly kinds: Kinds
  readonly order: FileOrder
  /** The day, `2026-11-24`, on which or after which the files were added; `undefined`: any. */
  readonly since: string | undefined
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
export function filesQuery({ path, search, kinds, order, since }: FileQuery, start: number): Query {
  const parts = [
    search === '' ? { folderPath: { $eq: path } } : withinFolder(path),
    search === '' ? undefined : found(search),
    ofKinds(kinds),
    since === undefined ? undefined : { createdAt: { $gte: since } },
  ].filter((part) => part !== undefined)
  return {
    sort: [fileOrders[order], 'id:desc'],
    // Requests one file more than a page, to detect a next page.
    pagination: { start, limit: perPage + 1 },
    ...(parts.length > 0 && { filters: { $and: parts } }),
  }
}

/** The folders with what a tree shows of them: there may be thousands. */
export const allFolders = 'folders?fields=name,parent'

/** The files that a folder shows at first: all, the newest ones on top. */
export const firstQuestion = { search: '', kinds: undefined, order: 'newest', since: undefined } as const

/** The files outside of all folders. */
export const outside: FileQuery = { path: '/', ...firstQuestion }

/** Paths below `/desk/api` that the page asks for first, outside of all folders. */
export const firstOfLibrary: readonly string[] = [allFolders, `files?${queryText(filesQuery(outside, 0))}`]
