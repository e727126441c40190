/** Operations with files: the multipart requests of the usual clients. */
import { isObject, jsonErrorText } from '@octavo/core/internal'
import type { Received, ReceivedFile } from '@octavo/server'
import { refusal } from './errors.ts'

/** A file in the variables of an operation. Messages that show the variable do not name its path on this machine. */
export class UploadedFile {
  readonly #file: ReceivedFile
  /** No input object of a schema has a field of this name, so that none takes a file for an empty object. */
  readonly '[file]' = true

  constructor(file: ReceivedFile) {
    this.#file = file
  }

  get file(): ReceivedFile {
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
 * @throws RequestRefusal
 */
export function operationWithFiles({ fields, files }: Received): Json {
  const operation = parsed(fields.operations, 'operations')
  for (const [part, places] of Object.entries(parsed(fields.map, 'map'))) {
    const file = files.find(({ field }) => field === part)
    if (!file || !Array.isArray(places)) throw bad(`\`map\` names the part "${part}", which has no file.`)
    for (const place of places) put(operation, String(place), new UploadedFile(file))
  }
  return operation
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
