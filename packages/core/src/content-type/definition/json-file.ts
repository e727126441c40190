import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { jsonErrorText } from './json-error-position.ts'

/** The value in a file, or the mistake for which it has none. */
export type JsonFile = { readonly value: unknown } | { readonly mistake: string }

/** Reads a file of JSON synchronously. A byte order mark, which some editors write, is no part of it. */
export function readJsonFile(file: string): JsonFile {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    return { mistake: `cannot be read: ${(error as Error).message}` }
  }
  // Its bytes would be read as other characters, and names and values would differ from those of the file.
  if (!isUtf8(bytes)) return { mistake: 'is not in UTF-8; save it in this encoding' }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { mistake: `is no JSON${jsonErrorText(text)}` }
  }
}
