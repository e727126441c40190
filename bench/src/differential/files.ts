/** Files of two servers, and entries that have them. */
import fc from 'fast-check'
import type { Running } from '../peers/running.ts'
import { type Answer, ask, differences } from './compare.ts'
import { type FileRequest, fileRequests } from './file-requests.ts'
import { contentTypes } from './project.ts'
import { alignSequences } from './sequences.ts'

type Answers = readonly [theirs: Answer, ours: Answer]

/** A file that both servers have. */
interface File {
  readonly id: number
  readonly ext: string
}

const populated = '?publicationState=preview&populate=*'

export class Files {
  readonly #servers: readonly [theirs: Running, ours: Running]
  readonly #seed: number
  readonly #report: (request: string, lines: readonly string[]) => void
  #known: readonly File[] = []
  readonly #entries: ReadonlyMap<string, readonly number[]>
  #count = 0

  /** @param entries Ids that both servers have, by the plural names of the content-types. */
  constructor(
    servers: readonly [theirs: Running, ours: Running],
    seed: number,
    entries: ReadonlyMap<string, readonly number[]>,
    report: (request: string, lines: readonly string[]) => void,
  ) {
    this.#servers = servers
    this.#seed = seed
    this.#entries = entries
    this.#report = report
  }

  /** Sends a random request to both, and compares the answers, and the entry that a write attaches files to. */
  async next(): Promise<void> {
    const [drawn] = fc.sample(fileRequests, { seed: this.#seed + ++this.#count, numRuns: 1 })
    const request = drawn as FileRequest // one was asked for
    const file = at(this.#known, request.file)
    const entry = at(this.#entries.get(request.entryOf ?? '') ?? [], request.entry)
    // There are no files of these requests at the beginning.
    if (request.file !== undefined && file === undefined) return
    const { method } = request
    // The reference keeps the extension of a file whose content becomes another one.
    if (method === 'POST' && file && request.files?.some(([, { name }]) => !name.endsWith(file.ext))) return
    const path = request.path.replace('{file}', String(file?.id)).replace('{entry}', String(entry))
    const answers = await this.#both(method, path, () => formOf(request, entry))
    const label = `${method} ${path} ${JSON.stringify(request.fields ?? '')} ${namesOf(request)}`
    const lines = differences(...answers)
    if (lines.length > 0) this.#report(label, lines)
    this.#remember(method, file, answers[1])
    if (answers.some(({ status }) => status >= 300)) await alignSequences(this.#servers, tables)
    if (entry === undefined || lines.length > 0) return
    const stored = differences(...(await this.#both('GET', `/api/${request.entryOf}/${entry}${populated}`)))
    if (stored.length > 0) this.#report(`${label}, read again`, stored)
  }

  #remember(method: string, file: File | undefined, { status, body }: Answer): void {
    if (status >= 300) return
    if (method === 'DELETE') this.#known = this.#known.filter((one) => one !== file)
    else if (method === 'POST' && Array.isArray(body))
      this.#known = [...this.#known, ...(body as readonly File[])]
  }

  async #both(
    method: string,
    path: string,
    body: () => FormData | undefined = () => undefined,
  ): Promise<Answers> {
    const [theirs, ours] = this.#servers
    const wanted = await ask(theirs.url, method, path, body())
    return [wanted, await ask(ours.url, method, path, body())]
  }
}

const tables = ['files', ...contentTypes.map(({ collectionName }) => String(collectionName))]

const at = <T>(items: readonly T[], index: number | undefined): T | undefined =>
  index === undefined ? undefined : items[index % items.length]

function formOf({ fields, files }: FileRequest, entry: number | undefined): FormData | undefined {
  if (!fields && !files) return undefined
  const form = new FormData()
  for (const [name, text] of Object.entries(fields ?? {}))
    form.append(name, text.replace('{entry}', String(entry)))
  for (const [field, { name, type, bytes }] of files ?? [])
    form.append(field, new Blob([bytes], { type }), name)
  return form
}

const namesOf = ({ files = [] }: FileRequest): string =>
  files.map(([field, { name }]) => `${field}=${name}`).join(' ')
