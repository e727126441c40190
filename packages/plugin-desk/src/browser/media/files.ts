import { queryOptions } from '@tanstack/react-query'
import { type FileQuery, filesQuery } from '../../library-query.ts'
import { remove, request } from '../requests/api.ts'
import { isShown } from '../values/pictures.ts'

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
  /** Present if the server has the option `focalPoint`. */
  readonly focalPoint?: FocalPoint | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** In percent, from the upper left. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

/** A page of files. @param start How many are before it. */
export const fileList = (wanted: FileQuery, start: number) =>
  queryOptions<readonly LibraryFile[]>({
    queryKey: ['files', wanted, start],
    queryFn: ({ signal }) =>
      request<readonly LibraryFile[]>('GET', 'files', { signal, query: filesQuery(wanted, start) }).then(
        ({ body }) => body,
      ),
  })

/** The texts and the place of a file; absent ones stay. */
export interface FileInfo {
  readonly name?: string
  readonly alternativeText?: string
  readonly caption?: string
  readonly focalPoint?: FocalPoint | null
}

/** A name of a file, in which signs that the server takes in no name are dashes. Some systems have them in names, and some people type them. */
export const storableName = (name: string): string => name.replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, '-')

const formOf = ({ name, ...info }: FileInfo, file?: File): FormData => {
  const body = new FormData()
  const named = name === undefined ? info : { ...info, name: storableName(name) }
  body.append('fileInfo', JSON.stringify(named))
  if (file) body.append('files', file, storableName(file.name))
  return body
}

/** Changes the name and the texts of a file. @throws ApiError */
export const describeFile = async (id: number, info: FileInfo): Promise<LibraryFile> =>
  (await request<LibraryFile>('POST', 'files', { query: { id }, body: formOf(info) })).body

/** Puts another file in the place of a file, whose address and name stay: without a name it would get that of the other one. @throws ApiError */
export async function replaceFile(id: number, file: File): Promise<LibraryFile> {
  const { name } = (await request<LibraryFile>('GET', `files/${id}`)).body
  return (await request<LibraryFile>('POST', 'files', { query: { id }, body: formOf({ name }, file) })).body
}

export const deleteFile = (id: number): Promise<unknown> => remove(`files/${id}`)

/** The kind that `allowedTypes` of a field names: `image`, `video` or `audio`; `undefined` for all other files. */
export const kindOf = (mime: string): string | undefined => /^(image|video|audio)\//.exec(mime)?.[1]

/** A small picture of a file; `undefined` for files that browsers do not show as pictures. */
export const thumbOf = (file: LibraryFile): string | undefined =>
  isShown(file.mime)
    ? fresh(file, file.formats?.thumbnail?.url ?? file.formats?.small?.url ?? file.url)
    : undefined

/** The address of a file of this server, which changes when the file is replaced. Addresses of other hosts may be signed. */
export const fresh = ({ updatedAt }: LibraryFile, url: string): string =>
  url.startsWith('/') ? `${url}?v=${Date.parse(updatedAt)}` : url
