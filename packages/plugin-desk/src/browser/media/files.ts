import { ApiError, request } from '../api.ts'

/** A file of the library, as its endpoints have it: without an envelope. */
export interface LibraryFile {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly mime: string
  readonly alternativeText: string | null
  readonly width: number | null
  readonly height: number | null
  readonly formats: Readonly<Record<string, { readonly url?: string }>> | null
}

export const perPage = 48

export const findFiles = async (
  search: string,
  start: number,
  signal: AbortSignal,
): Promise<readonly LibraryFile[]> =>
  (
    await request<readonly LibraryFile[]>('GET', 'files', {
      signal,
      query: {
        sort: ['createdAt:desc'],
        pagination: { start, limit: perPage },
        ...(search !== '' && { filters: { name: { $containsi: search } } }),
      },
    })
  ).body

/** Uploads files. @param onProgress Called with per cent. @throws ApiError */
export function uploadFiles(
  files: readonly File[],
  onProgress: (done: number) => void,
): Promise<readonly LibraryFile[]> {
  const body = new FormData()
  for (const file of files) body.append('files', file, file.name)
  return new Promise((resolve, reject) => {
    // fetch tells nothing of the progress of a body.
    const sending = new XMLHttpRequest()
    sending.open('POST', '/desk/api/files')
    sending.responseType = 'json'
    sending.upload.onprogress = ({ loaded, total }) =>
      onProgress(Math.floor((loaded / Math.max(total, 1)) * 100))
    sending.onerror = () => reject(new ApiError(0, '', 'desk/offline'))
    sending.onload = () => {
      const answer = sending.response as
        | { readonly error?: { readonly message?: string } }
        | readonly LibraryFile[]
      if (sending.status < 300) resolve(answer as readonly LibraryFile[])
      else
        reject(
          new ApiError(sending.status, (answer as { error?: { message?: string } })?.error?.message ?? ''),
        )
    }
    sending.send(body)
  })
}

/** Changes the name and the texts of a file. @throws ApiError */
export async function describeFile(
  id: number,
  info: { readonly name: string; readonly alternativeText: string },
) {
  const body = new FormData()
  body.append('fileInfo', JSON.stringify(info))
  await request('POST', 'files', { query: { id }, body })
}

export const thumbOf = (file: LibraryFile): string | undefined =>
  file.mime.startsWith('image/')
    ? (file.formats?.thumbnail?.url ?? file.formats?.small?.url ?? file.url)
    : undefined
