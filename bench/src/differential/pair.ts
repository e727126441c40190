/** Two servers that get the same writes, and whose entries have the same ids. */
import fc from 'fast-check'
import type { GraphQLSchema } from 'graphql'
import type { Running } from '../peers/running.ts'
import { type Answer, ask, differences } from './compare.ts'
import { mutation } from './graphql.ts'
import { asRest, comparableAnswer, send } from './graphql-answers.ts'
import { isMedia, uidOf } from './model.ts'
import { contentTypes } from './project.ts'
import { ofAnswer } from './queries.ts'
import { type Caller, differencesFor, findableOf } from './rights-of-writes.ts'
import { alignSequences } from './sequences.ts'
import { makeUnique, newEntry, type Write, write } from './writes.ts'

/** Of the reference, and of Octavo. */
type Answers = readonly [Answer, Answer]

/** Entries of each content-type before the first comparison, in an order in which relations lead to entries that are there. */
const counts = {
  ...{ tag: 6, profile: 6, category: 6, author: 7 },
  ...{ restaurant: 10, product: 12, article: 16, note: 6 },
}

const tables = contentTypes.map(({ collectionName }) => String(collectionName))

export class Pair {
  readonly #theirs: Running
  readonly #ours: Running
  readonly #seed: number
  readonly #report: (request: string, lines: readonly string[]) => void
  readonly #ids = new Map<string, readonly number[]>()
  /** Of Octavo. */
  readonly schema: GraphQLSchema
  #count = 0

  constructor(
    theirs: Running,
    ours: Running,
    seed: number,
    schema: GraphQLSchema,
    report: (request: string, lines: readonly string[]) => void,
  ) {
    this.#theirs = theirs
    this.#ours = ours
    this.#seed = seed
    this.schema = schema
    this.#report = report
  }

  /** The reference, and Octavo. */
  get servers(): readonly [Running, Running] {
    return [this.#theirs, this.#ours]
  }

  /** Files, users, and entries of every content-type. */
  async fill(): Promise<void> {
    for (let n = 0; n < 5; n++) {
      const form = () => {
        const data = new FormData()
        data.append('files', new Blob([`text ${n}`], { type: 'text/plain' }), `file-${n}.txt`)
        return data
      }
      await this.#send('POST', '/api/upload', form)
    }
    this.#ids.set('file', [1, 2, 3, 4, 5])
    for (let n = 0; n < 3; n++) {
      const user = {
        username: `reader-${n}`,
        email: `reader-${n}@example.org`,
        password: 'secret12',
        role: 1,
      }
      await this.#send('POST', '/api/users', () => JSON.stringify(user))
    }
    this.#ids.set('plugin::users-permissions.user', [1, 2, 3])
    this.#ids.set('plugin::users-permissions.role', [1, 2])
    for (const [name, count] of Object.entries(counts)) {
      const uid = `api::${name}.${name}`
      const plural = contentTypes.find((type) => uidOf(type) === uid)?.info.pluralName
      for (let n = 0; n < count; n++)
        await this.#write({
          method: 'POST',
          path: `/api/${plural}`,
          uid,
          data: this.#draw(newEntry(uid, this.#ids)),
        })
    }
  }

  /** The entries that both servers have, by the plural names of their content-types. */
  entries(): ReadonlyMap<string, readonly number[]> {
    return new Map(contentTypes.map((type) => [type.info.pluralName, this.#ids.get(uidOf(type)) ?? []]))
  }

  /**
   * Sends a random write to both, and compares the answers and the entry.
   * @param caller Who sends it. Default: everybody
   */
  async writeNext(caller?: Caller): Promise<void> {
    const named = caller && findableOf(caller, this.#ids)
    await this.#write(this.#draw(write(this.#ids, named)), caller)
  }

  #draw<T>(arbitrary: fc.Arbitrary<T>): T {
    const [drawn] = fc.sample(arbitrary, { seed: this.#seed + ++this.#count, numRuns: 1 })
    return drawn as T // one was asked for
  }

  async #write(write: Write, caller?: Caller): Promise<void> {
    const { method, path, uid, id, data, way } = write
    const made = data && makeUnique(uid, data, this.#count)
    const sent = made && JSON.stringify(way === 'localization' ? made : { data: made })
    const [theirs, ours] = await this.#answersTo(write, made, sent, caller)
    const rights = caller ? ` with the rights ${[...caller.rights].join(', ')}` : ''
    const shown = `${way ?? ''} ${method} ${path} ${sent ?? 'what was read'}${rights}`
    const isSame = await this.#compare(shown, write, [theirs, ours], caller)
    const known = this.#ids.get(uid) ?? []
    const added = idOf(ours.body)
    // The reference shares values among locales only where a request populates them, so no later write may meet the new entry.
    if (way === 'localization') await this.#forget(theirs.body, ours.body, path)
    else if (method === 'POST' && ours.status === 200 && isSame && added !== undefined)
      this.#ids.set(uid, [...known, added])
    if (method === 'DELETE' && ours.status !== 403)
      this.#ids.set(
        uid,
        known.filter((one) => one !== id),
      )
    if (ours.status !== 200 || !isSame) await alignSequences([this.#theirs, this.#ours], tables)
  }

  /** Deletes an entry that differs from both, so that it is reported once. */
  async #compare(request: string, write: Write, answers: Answers, caller?: Caller): Promise<boolean> {
    const { method, path, way } = write
    const lines = caller ? differencesFor(caller, write, answers) : differences(...answers)
    if (lines.length > 0) this.#report(request, lines)
    const [theirs, ours] = answers
    if (method === 'POST') {
      const isSame = lines.length === 0 && theirs.status === ours.status
      // The reference does not share the relations and components of an entry with its localization.
      if (isSame && (way === 'localization' || (await this.#isStored(request, path, ours)))) return true
      await this.#forget(theirs.body, ours.body, path)
      return false
    }
    const stored = differences(...(await this.#send('GET', path)))
    // Strapi does not undo a write that fails.
    if (stored.length > 0 && lines.length === 0 && theirs.status < 400)
      this.#report(`${request}, read again`, stored)
    if (stored.length > 0) await this.#send('DELETE', path)
    return stored.length === 0
  }

  /** Compares what is stored of a new entry, which its answer may not show. */
  async #isStored(request: string, path: string, answer: Answer): Promise<boolean> {
    const id = idOf(answer.body)
    if (id === undefined) return true
    const lines = differences(
      ...(await this.#send('GET', `${addressOf(path)}/${id}?populate=*&publicationState=preview`)),
    )
    if (lines.length > 0) this.#report(`${request}, read again`, lines)
    return lines.length === 0
  }

  async #forget(theirs: unknown, ours: unknown, path: string): Promise<void> {
    const base = addressOf(path)
    const [their, our] = [idOf(theirs), idOf(ours)]
    if (their !== undefined) await ask(this.#theirs.url, 'DELETE', `${base}/${their}`)
    if (our !== undefined) await ask(this.#ours.url, 'DELETE', `${base}/${our}`)
  }

  async #send(
    method: string,
    path: string,
    body: () => string | FormData | undefined = () => undefined,
    caller?: Caller,
  ): Promise<Answers> {
    const theirs = await ask(this.#theirs.url, method, path, body(), caller?.tokens[0])
    return [theirs, await ask(this.#ours.url, method, path, body(), caller?.tokens[1])]
  }

  async #answersTo(
    { method, path, uid, id, data, way }: Write,
    made: object | undefined,
    sent: string | undefined,
    caller: Caller | undefined,
  ): Promise<Answers> {
    if (way === 'mutation') return this.#mutate(uid, id, { data: made }, caller)
    if (method === 'PUT' && data === undefined) return this.#sendBack(uid, path, caller)
    const asked =
      caller && way === undefined ? `${path.replace(/\?.*/, '')}?${this.#draw(ofAnswer(uid, path))}` : path
    const [theirs, ours] = await this.#send(method, asked, () => sent, caller)
    return way === 'localization' ? [inEnvelope(theirs), inEnvelope(ours)] : [theirs, ours]
  }

  async #mutate(
    uid: string,
    id: number | undefined,
    variables: object | undefined,
    caller: Caller | undefined,
  ): Promise<Answers> {
    const document = this.#draw(mutation(this.schema, uid.replace(/.*\./, ''), id))
    const answer = async ({ url }: Running, token: string | undefined) =>
      asRest(comparableAnswer(await send(url, document, variables, token)), caller !== undefined)
    return [await answer(this.#theirs, caller?.tokens[0]), await answer(this.#ours, caller?.tokens[1])]
  }

  /**
   * Each server gets the attributes of its own answer, with populated relations and the ids of its components; without media, which Strapi
   * empties then.
   */
  async #sendBack(uid: string, path: string, caller: Caller | undefined): Promise<Answers> {
    const answers: Answer[] = []
    for (const [i, { url }] of [this.#theirs, this.#ours].entries()) {
      const token = caller?.tokens[i]
      const { body } = await ask(url, 'GET', path, undefined, token)
      const read = (body as { readonly data: { readonly attributes: object } | null }).data?.attributes ?? {}
      const data = Object.fromEntries(Object.entries(read).filter(([name]) => !isMedia(uid, name)))
      answers.push(await ask(url, 'PUT', path, JSON.stringify({ data }), token))
    }
    return answers as unknown as Answers // of two servers
  }
}

/** `/api/articles` for the path of a create. */
const addressOf = (path: string): string => path.replace(/(?:\/\d+\/localizations)?(?:\?.*)?$/, '')

/** The answer of a localization as that of a create. */
function inEnvelope({ status, body }: Answer): Answer {
  if (status !== 200) return { status, body }
  const { id, ...attributes } = body as { readonly id: number }
  return { status, body: { data: { id, attributes } } }
}

function idOf(body: unknown): number | undefined {
  return (body as { readonly data?: { readonly id?: number } | null }).data?.id
}
