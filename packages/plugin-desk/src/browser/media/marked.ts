/** The files of the library that are marked. Others may have been marked since the page was drawn. */
import type { LibraryFile } from './files.ts'

/** By id. */
export type Marked = ReadonlyMap<number, LibraryFile>

/** Adds files to the marked ones. */
export const withFiles =
  (files: readonly LibraryFile[]) =>
  (marked: Marked): Marked =>
    new Map([...marked, ...files.map((file) => [file.id, file] as const)])

/** Takes files out of the marked ones. */
export const without =
  (ids: readonly number[]) =>
  (marked: Marked): Marked =>
    new Map([...marked].filter(([id]) => !ids.includes(id)))
