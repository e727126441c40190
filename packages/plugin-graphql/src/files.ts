/** Operations with files: the multipart requests of the usual clients. */
import { copyFile } from 'node:fs/promises'
import { isObject, jsonErrorText } from '@octavo/core/internal'
import type { Received, ReceivedFile } from '@octavo/server'
import { refusal } from './errors.ts'
import { problem } from './problems.ts'

/** A file in the variables of an operation. Messages that show the variable do not name its path on this machine. */
export class UploadedFile {
  readonly #file: ReceivedFile
  #isUsed = false
  /** No input object of a schema has a field of this name, so that none takes a file for an empty object. */
  readonly '[file]' = true

  constructor(file: ReceivedFile) {
    this.#file = file
  }

  /** The file for its use, which may move it. @throws ValidationError the second time */
  take(): ReceivedFile {
    if (this.#isUsed) throw problem('graphql/used-file', { name: this.#file.name })
    this.#isUsed = true
    return this.#file
  }

  toJSON(): string {
    return '[file]'
  }
}

/** Whether a value is a file, or has one at any depth. */
export const hasFile = (value: unknown): boolean =>
  value instanceof UploadedFile ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasFile))

type Json = Record<string, unknown>

/**
 * The operation of a multipart request, with its files at their places:
 *
 *     operations  { "query": "mutation ($file: Upload!) { … }", "variables": { "file": null } }
 *     map         { "0": ["variables.file"] }
 *     0           the file
 *
 * A file with several places is copied, since each use of one moves it.
 *
 * @param most Places of files: as many as a request may have files, so that copies take no more room than these.
 *
 * @throws RequestRefusal
 */
export async function operationWithFiles({ fields, files }: Received, most: number): Promise<Json> {
  const operation = parsed(fields.operations, 'operations')
  let count = 0
  for (const [part, places] of Object.entries(parsed(fields.map, 'map'))) {
    const file = files.find(({ field }) => field === part)
    if (!file || !Array.isArray(places)) throw bad(`\`map\` names the part "${part}", which has no file.`)
    count += places.length
    if (count > most) throw bad(`\`map\` names more than ${most} places.`)
    for (const [i, place] of places.entries())
      put(operation, String(place), new UploadedFile(i === 0 ? file : await copyOf(file, i)))
  }
  return operation
}

/** A copy beside the file, which is removed together with it. */
async function copyOf(file: ReceivedFile, number: number): Promise<ReceivedFile> {
  const path = `${file.path}-${number}`
  await copyFile(file.path, path)
  return { ...file, path }
}

function parsed(text: unknown, name: string): Json {
  const message = `The field \`${name}\` of a multipart request must be a JSON object`
  let value: unknown
  try {
    value = JSON.parse(String(text))
  } catch {
    throw bad(`${message}${jsonErrorText(String(text))}.`)
  }
  if (isObject(value)) return value as Json
  throw bad(`${message}.`)
}

/** Puts a file at a place of the variables that is null: `variables.files.0`. */
function put(operation: Json, place: string, file: UploadedFile): void {
  const names = place.split('.')
  const last = names.pop() ?? ''
  let holder: unknown = operation
  for (const name of names) holder = ownOf(holder, name)
  if (names[0] !== 'variables' || ownOf(holder, last) !== null)
    throw bad(`\`map\` names "${place}", which is no null in \`variables\`.`)
  Object.assign(holder as object, { [last]: file })
}

const ownOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Json)[name]
    : undefined

const bad = (message: string): Error => refusal(400, 'BAD_REQUEST', message)
