/**
 * The local copy of an entry that a person edits. It is written at each pause, so that a closed tab, an ended session or a lost network
 * loses no more than the last seconds, and deleted when everything is saved.
 */
import { type Draft, draftText } from './draft-text.ts'
import type { Form } from './form.ts'
import { randomText } from './random.ts'

/** The place of local copies, such as IndexedDB. */
export interface DraftStorage {
  get(key: string): Promise<string | undefined>
  set(key: string, text: string): Promise<void>
  delete(key: string): Promise<void>
  /** All keys that begin with a text. */
  keys(prefix: string): Promise<readonly string[]>
}

/** The entry and the person that a local copy belongs to. */
export interface DraftPlace {
  /** The id of the person: on a shared machine each person sees only the own text. */
  readonly person: number
  readonly uid: string
  /** The id, or `new` with a name for each new entry: `new-3f2a`. */
  readonly entry: number | string
  readonly locale?: string | undefined
}

const separator = '|'

/** The beginning of the keys of all copies of an entry; each tab has its own. */
export const draftPrefix = ({ person, uid, entry, locale = '' }: DraftPlace): string =>
  `${['draft', person, uid, entry, locale].join(separator)}${separator}`

/** The beginning of the name of a new entry: `new-`, and `new-of7-` for a translation of the entry 7. */
const newPrefix = (origin: number | undefined): string => (origin === undefined ? 'new-' : `new-of${origin}-`)

/**
 * The name of a new entry, for {@link DraftPlace}: the name of an entry that was left unsaved, or a new name.
 *
 * @param origin The entry of which the new one is a translation.
 * @param isLeft Whether no tab works on the copy.
 */
export async function nameOfNew(
  storage: Pick<DraftStorage, 'keys'>,
  place: Omit<DraftPlace, 'entry'>,
  origin: number | undefined,
  isLeft: (tab: string) => Promise<boolean>,
): Promise<string> {
  const start = newPrefix(origin)
  const prefix = draftPrefix({ ...place, entry: start }).split(start)[0] ?? ''
  for (const key of await storage.keys(`${prefix}${start}`)) {
    const [entry = '', locale, tab = ''] = key.slice(prefix.length).split(separator)
    const isOfOther = origin === undefined && entry.startsWith('new-of')
    if (!isOfOther && locale === (place.locale ?? '') && (await isLeft(tab))) return entry
  }
  return `${start}${randomText(8)}`
}

/** @returns `undefined` for a text that is not a draft of this version */
export function readDraft(text: string | undefined): Draft | undefined {
  if (text === undefined) return undefined
  try {
    const draft = JSON.parse(text) as Partial<Draft>
    return draft.version === 1 && draft.base && draft.mine ? (draft as Draft) : undefined
  } catch {
    return undefined
  }
}

/**
 * The copies of an entry, or of all new ones, that tabs have left, by their keys, the newest last.
 *
 * @param isOf Whether a content-type is that of the address, as far as it is known. Copies that name another address are left out.
 */
export async function draftsAt(
  storage: Pick<DraftStorage, 'get' | 'keys'>,
  { person, route, entry }: Pick<DraftPlace, 'person' | 'entry'> & { readonly route: string },
  isOf: (uid: string) => boolean,
): Promise<ReadonlyMap<string, Draft>> {
  const found: [string, Draft][] = []
  const start = `${['draft', person].join(separator)}${separator}`
  for (const key of await storage.keys(start)) {
    const [uid = '', name = ''] = key.slice(start.length).split(separator)
    const isHere = entry === 'new' ? name.startsWith('new-') : name === String(entry)
    if (!isHere || !isOf(uid)) continue
    const draft = readDraft(await storage.get(key))
    if (draft && (draft.route ?? route) === route) found.push([key, draft])
  }
  return new Map(found.sort(([, one], [, other]) => one.at - other.at))
}

export interface DraftOptions {
  /** Milliseconds without an edit after which the copy is written. Default 500. */
  readonly pause?: number
  /** Milliseconds of uninterrupted typing after which the copy is written. Default 2,000. */
  readonly longest?: number
  readonly now?: () => number
  /** Calls a function later. @returns a function that cancels the call. Default: `setTimeout`. */
  readonly later?: (call: () => void, milliseconds: number) => () => void
  /** Called when the copy cannot be written, as on a full disk: the page says so. */
  readonly onTrouble?: (error: unknown) => void
}

const timeout = (call: () => void, milliseconds: number): (() => void) => {
  const timer = setTimeout(call, milliseconds)
  return () => clearTimeout(timer)
}

/** Writes the local copy of one form in one tab. */
export class DraftKeeper {
  #key: string
  /** The key of a copy that may be there. */
  #stored: string | undefined
  #isDropped = false
  readonly #storage: DraftStorage
  readonly #state: () => Omit<Draft, 'version' | 'base' | 'mine' | 'overlaps' | 'at'>
  readonly #form: Form
  readonly #options: Required<Omit<DraftOptions, 'onTrouble'>> & Pick<DraftOptions, 'onTrouble'>
  readonly #end: () => void
  #cancel: (() => void) | undefined
  #since: number | undefined
  /** Writes follow each other, so that an older one never comes last. */
  #writes: Promise<void> = Promise.resolve()

  /** @param state The tag and the saves without an outcome, when the copy is written. */
  constructor(
    key: string,
    storage: DraftStorage,
    form: Form,
    state: () => Omit<Draft, 'version' | 'base' | 'mine' | 'overlaps' | 'at'>,
    options: DraftOptions = {},
  ) {
    this.#key = key
    this.#stored = key
    this.#storage = storage
    this.#form = form
    this.#state = state
    this.#options = { pause: 500, longest: 2_000, now: Date.now, later: timeout, ...options }
    this.#end = form.subscribeSummary('', () => this.#edited())
  }

  #edited(): void {
    const { now, later, pause, longest } = this.#options
    this.#since ??= now()
    this.#cancel?.()
    const wait = Math.max(0, Math.min(pause, this.#since + longest - now()))
    this.#cancel = later(() => void this.flush(), wait)
  }

  /** Writes the copy now, or deletes it when nothing is unsaved. A page calls it when it is hidden. */
  flush(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    this.#since = undefined
    this.#writes = this.#writes.then(() => this.#write()).catch((error) => this.#options.onTrouble?.(error))
    return this.#writes
  }

  async #write(): Promise<void> {
    const state = this.#state()
    const isNothing = !this.#form.isChanged && state.pending.length === 0 && !state.left?.length
    if (this.#isDropped || isNothing) {
      await this.#remove()
      return
    }
    const draft: Draft = {
      version: 1,
      base: this.#form.base,
      mine: this.#form.value(),
      overlaps: this.#form.overlaps(),
      at: this.#options.now(),
      ...state,
    }
    const key = this.#key
    await this.#storage.set(key, draftText(this.#form.model, draft))
    if (this.#stored !== key) await this.#remove()
    this.#stored = key
  }

  async #remove(): Promise<void> {
    if (this.#stored !== undefined) await this.#storage.delete(this.#stored)
    this.#stored = undefined
  }

  /** Deletes the copy and writes none any more. */
  drop(): Promise<void> {
    this.#isDropped = true
    this.stop()
    return this.flush()
  }

  /** From now on the copy has another key, as a new entry that has got an id. */
  rename(key: string): void {
    this.#key = key
  }

  /** Ends the subscription; the copy stays as it is. */
  stop(): void {
    this.#cancel?.()
    this.#end()
  }
}
