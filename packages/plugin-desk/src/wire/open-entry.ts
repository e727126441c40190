import {
  type Draft,
  DraftKeeper,
  type DraftOptions,
  type DraftStorage,
  draftPrefix,
  type PendingSave,
  readDraft,
} from '../form/draft.ts'
import {
  emptyGroup,
  type FieldError,
  Form,
  type FormModel,
  type FormOptions,
  type GroupValue,
  keyNamed,
  placeErrors,
  readEntry,
} from '../form/index.ts'
import { randomText } from '../form/random.ts'
import { addressOf, type EntryData, type EntryPlace, load } from './load.ts'
import { entryQuery, type PopulateOptions } from './populate.ts'
import type { Outcome, Wire, WireError } from './wire.ts'

/** What is saved beside the fields of the form, such as `publishedAt`. */
export type SaveState = Readonly<Record<string, unknown>>

export interface OpenOptions extends PopulateOptions, FormOptions, DraftOptions {
  readonly storage: DraftStorage
  /** A name of this tab that no other one has. */
  readonly tab: string
  /** Whether another tab is open; the copies of closed ones are restored. Default: none is. */
  readonly isOpen?: (tab: string) => Promise<boolean>
}

export type SaveOutcome =
  /** `merged`: somebody else has changed other fields meanwhile. */
  | { readonly kind: 'saved'; readonly merged?: boolean }
  /** Values of two people overlap: the form shows them, and a save is possible when they are resolved. */
  | { readonly kind: 'overlaps' }
  /** Nothing was lost: the same save is to be called again, after signing in or later. */
  | { readonly kind: 'signed-out' | 'unknown' | 'busy' }
  /** Somebody has deleted the entry, or the right to read it is gone. */
  | { readonly kind: 'missing' }
  /** The errors are in the form as well. */
  | { readonly kind: 'refused'; readonly error: WireError; readonly errors: readonly FieldError[] }

/** How often a save is merged and sent again while others write the same entry. */
const attempts = 5

/** An entry that a person edits: its form, its version at the server, and its local copy. */
export class OpenEntry {
  readonly form: Form
  readonly #wire: Wire
  readonly #place: EntryPlace
  readonly #options: OpenOptions
  readonly #query: string
  readonly #keeper: DraftKeeper
  #id: number | undefined
  #stored: EntryData | undefined
  #restored: number | undefined
  #tag: string | undefined
  #pending: readonly PendingSave[] = []
  #saving: Promise<SaveOutcome> | undefined

  private constructor(wire: Wire, place: EntryPlace, form: Form, query: string, options: OpenOptions) {
    this.#wire = wire
    this.#place = place
    this.#options = options
    this.#query = query
    this.form = form
    this.#id = form.base.id
    this.#keeper = new DraftKeeper(
      `${draftPrefix(place)}${options.tab}`,
      options.storage,
      form,
      () => ({ tag: this.#tag, pending: this.#pending }),
      options,
    )
  }

  /**
   * Loads an entry and merges what closed tabs have left unsaved.
   *
   * @returns the entry, or the outcome of the request that failed
   */
  static async open(
    wire: Wire,
    model: FormModel,
    place: EntryPlace,
    options: OpenOptions,
  ): Promise<OpenEntry | Outcome> {
    const { uid, single, locale } = place
    const query = entryQuery(model, uid, { ...options, ...(single === true && { locale }) })
    const isNew = typeof place.entry === 'string'
    const loaded = isNew
      ? undefined
      : await load(wire, model, addressOf(place, place.entry), query, place.uid)
    // The entry of a single type comes into being with its first save.
    const isAbsent = isNew || (place.single === true && loaded?.kind === 'missing')
    if (loaded && loaded.kind !== 'loaded' && !isAbsent) return loaded as Outcome
    const base = loaded?.kind === 'loaded' ? loaded.value : emptyGroup(model, place.uid)
    const form = new Form(model, base, options)
    const entry = new OpenEntry(wire, place, form, query, options)
    if (loaded?.kind === 'loaded') {
      entry.#tag = loaded.tag
      entry.#stored = loaded.data
    }
    await entry.#restore()
    return entry
  }

  /** The id; `undefined` until a new entry is saved. */
  get id(): number | undefined {
    return this.#id
  }

  /** The entry in the last answer of the server; `undefined` until a new one is saved. */
  get stored(): EntryData | undefined {
    return this.#stored
  }

  /** When the newest local copy was written that closed tabs had left, in milliseconds since 1970; `undefined` without one. */
  get restored(): number | undefined {
    return this.#restored
  }

  /** Whether a closing tab would lose what is not at the server. */
  get isUnsaved(): boolean {
    return this.form.isChanged || this.#pending.length > 0
  }

  /** Writes the local copy now, as when the page is hidden. */
  keep(): Promise<void> {
    return this.#keeper.flush()
  }

  /** Ends the work on the entry; an unsaved local copy stays. */
  async close(): Promise<void> {
    await this.#keeper.flush()
    this.#keeper.stop()
  }

  /** Forgets what is not saved, with its local copy, and ends the work on the entry. */
  discard(): Promise<void> {
    return this.#keeper.drop()
  }

  async #restore(): Promise<void> {
    const { storage, tab, isOpen = async () => false } = this.#options
    const prefix = draftPrefix(this.#place)
    const taken: string[] = []
    for (const key of await storage.keys(prefix)) {
      const owner = key.slice(prefix.length)
      if (owner !== tab && (await isOpen(owner))) continue
      const draft = readDraft(await storage.get(key))
      if (draft && !this.#include(draft)) continue
      if (owner !== tab) taken.push(key)
    }
    // The copies of others are deleted when their content is in the copy of this tab.
    await this.#keeper.flush()
    for (const key of taken) await storage.delete(key)
  }

  /** @returns whether the copy is one of the present model; another one stays where it is. */
  #include(draft: Draft): boolean {
    try {
      this.form.restore(
        draft.base,
        draft.mine,
        draft.pending.map(({ sent }) => sent),
      )
    } catch {
      return false
    }
    this.#pending = [...this.#pending, ...draft.pending]
    if (this.isUnsaved) this.#restored = Math.max(this.#restored ?? 0, draft.at)
    return true
  }

  /**
   * Saves what has changed. Calls during a save wait for it and save once more.
   *
   * @param state What is saved with it, also when no field has changed: `{ publishedAt: null }`.
   */
  async save(state: SaveState = {}): Promise<SaveOutcome> {
    while (this.#saving) await this.#saving
    this.#saving = this.#save(state)
    try {
      return await this.#saving
    } finally {
      this.#saving = undefined
    }
  }

  async #save(state: SaveState): Promise<SaveOutcome> {
    const { single, origin } = this.#place
    let merged = false
    for (let i = 0; i < attempts; i += 1) {
      const isNew = this.#id === undefined && (single !== true || origin !== undefined)
      const outcome = await (isNew ? this.#create(state) : this.#update(state))
      if (outcome) {
        await this.#keeper.flush()
        return outcome.kind === 'saved' ? { kind: 'saved', merged } : outcome
      }
      merged ||= !isNew
    }
    return { kind: 'busy' }
  }

  /** @returns `undefined` when there is more to save */
  async #create(state: SaveState): Promise<SaveOutcome | undefined> {
    // A create without an answer is repeated as it was, with its key: the server does it once.
    const [earlier] = this.#pending
    if (earlier && this.#place.origin !== undefined) {
      const failed = await this.#findTranslation(this.#place.origin)
      if (failed) return failed
      if (this.#id !== undefined) return undefined
    }
    const save = earlier ?? { sent: this.form.value(), key: randomText(), state }
    if (!earlier) {
      this.#pending = [save]
      await this.#keeper.flush()
    }
    const outcome = await this.#sendNew(save)
    if (outcome.kind === 'unknown') return { kind: 'unknown' }
    if (outcome.kind === 'ok') return this.#created(save, outcome.body, earlier !== undefined)
    this.#pending = []
    return this.#failed(outcome, save.sent)
  }

  #sendNew({ sent, key = '', state }: PendingSave): Promise<Outcome> {
    const { route, single, locale, origin } = this.#place
    const data = { ...this.form.createBody(sent), ...(locale !== undefined && { locale }), ...state }
    const headers = { 'Idempotency-Key': key }
    if (origin === undefined)
      return this.#wire.request('POST', `content/${route}?${this.#query}`, { body: { data }, headers })
    const of = single === true ? route : `${route}/${origin}`
    return this.#wire.request('POST', `content/${of}/localizations`, { body: data, headers })
  }

  async #created(save: PendingSave, body: unknown, isRepeated: boolean): Promise<SaveOutcome | undefined> {
    if (this.#place.origin === undefined) {
      this.#pending = []
      this.#saved(save.sent, body)
      // What was typed since, or differs from the repeated create, is an update.
      if (isRepeated) return undefined
      await this.#refresh()
      return { kind: 'saved' }
    }
    // A translation has its shared values from the server: it is loaded, and what was sent is recognised.
    this.#identify((body as { readonly id: number }).id)
    const failed = await this.#refresh()
    if (failed) return failed
    this.#pending = []
    return isRepeated ? undefined : { kind: 'saved' }
  }

  /** Finds the translation that a request without an answer has made: an entry has one in each locale. */
  async #findTranslation(origin: number): Promise<SaveOutcome | undefined> {
    const { route, single, locale } = this.#place
    if (single === true) return this.#refresh()
    const query = 'publicationState=preview&fields[0]=id&populate[localizations][fields][0]=locale'
    const outcome = await this.#wire.request('GET', `content/${route}/${origin}?${query}`)
    if (outcome.kind !== 'ok') return this.#failed(outcome, this.form.value())
    const { data } = outcome.body as { readonly data: EntryData }
    const { localizations } = data.attributes as {
      readonly localizations?: { readonly data: readonly EntryData[] }
    }
    const found = localizations?.data.find(({ attributes }) => attributes.locale === locale)
    if (found) this.#identify(found.id)
    return undefined
  }

  /** @returns `undefined` when somebody else has changed the entry and the merge is to be sent */
  async #update(state: SaveState): Promise<SaveOutcome | undefined> {
    if ((this.#tag === undefined && this.#id !== undefined) || this.#pending.length > 0) {
      const failed = await this.#refresh()
      if (failed) return failed
    }
    if (this.form.summary('').overlaps > 0) return { kind: 'overlaps' }
    const fields = this.form.updateBody()
    if (fields === undefined && Object.keys(state).length === 0) {
      this.#pending = []
      return { kind: 'saved' }
    }
    const sent = this.form.value()
    const before = this.#pending
    this.#pending = [...before, { sent }]
    await this.#keeper.flush()
    const outcome = await this.#wire.request('PUT', `${addressOf(this.#place, this.#id)}?${this.#query}`, {
      body: { data: { ...fields, ...state } },
      headers: this.#tag === undefined ? {} : { 'If-Match': this.#tag },
    })
    if (outcome.kind === 'unknown') return { kind: 'unknown' }
    this.#pending = before
    if (outcome.kind === 'changed') {
      // Saves without an outcome may have been the change.
      this.#tag = undefined
      return this.#refresh()
    }
    if (outcome.kind !== 'ok') return this.#failed(outcome, sent)
    this.#pending = []
    this.#saved(sent, outcome.body)
    await this.#refresh()
    return { kind: 'saved' }
  }

  #saved(sent: GroupValue, body: unknown): void {
    const { data } = body as { readonly data: EntryData }
    this.#identify(data.id)
    this.#stored = data
    this.#tag = undefined
    this.form.saved(sent, readEntry(this.form.model, this.#place.uid, data))
  }

  /** A new entry has got an id: its local copy is found by it from now on. */
  #identify(id: number | undefined): void {
    if (this.#id === undefined && id !== undefined && typeof this.#place.entry === 'string')
      this.#keeper.rename(
        `${draftPrefix({ ...this.#place, locale: undefined, entry: id })}${this.#options.tab}`,
      )
    this.#id = id
  }

  /** Loads the entry and merges it. */
  async #refresh(): Promise<SaveOutcome | undefined> {
    const { uid } = this.#place
    const loaded = await load(this.#wire, this.form.model, addressOf(this.#place, this.#id), this.#query, uid)
    // A single type has no entry before its first save.
    if (loaded.kind === 'missing' && this.#id === undefined) return undefined
    if (loaded.kind !== 'loaded') return this.#failed(loaded, this.form.value())
    this.#identify(loaded.value.id)
    this.#tag = loaded.tag
    this.#stored = loaded.data
    this.form.receive(
      loaded.value,
      this.#pending.map(({ sent }) => sent),
    )
    return undefined
  }

  /** Takes over what others have changed since the entry was loaded. */
  async refresh(): Promise<SaveOutcome | undefined> {
    while (this.#saving) await this.#saving
    return this.#id === undefined ? undefined : this.#refresh()
  }

  #failed(outcome: Outcome, sent: GroupValue): SaveOutcome {
    switch (outcome.kind) {
      case 'refused': {
        const { details } = outcome.error
        const field = details?.field
        const errors =
          field === undefined
            ? placeErrors(sent, details?.errors ?? [])
            : [{ key: keyNamed(sent, field), message: outcome.error.message }]
        this.form.setErrors(errors)
        return { kind: 'refused', error: outcome.error, errors }
      }
      case 'signed-out':
      case 'unknown':
      case 'busy':
      case 'missing':
        return { kind: outcome.kind }
      case 'ok':
      case 'changed':
        return { kind: 'unknown' }
    }
  }
}
