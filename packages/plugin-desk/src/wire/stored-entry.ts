/** An entry at the server, as far as this tab knows it, and the requests that create, change and load it. */
import type { Draft, PendingSave } from '../form/draft-text.ts'
import type { Form, GroupValue } from '../form/index.ts'
import { randomText } from '../form/random.ts'
import { sameJson } from '../form/same.ts'
import type { EntryData, EntryPlace, Loaded } from './load.ts'
import { addressOf, findTranslation, load, readAnswer } from './load.ts'
import { isChangedByOthers } from './others.ts'
import { failureOf, type SaveOutcome, type SaveState, stateToSend } from './save-outcome.ts'
import type { Outcome, Wire } from './wire.ts'

/** The local copy and the rights of the person, as a save uses them. */
interface Around {
  /** Writes it now: before each request that may be carried out without an answer. */
  readonly keep: () => Promise<void>
  /** A new entry has got an id: its copy is found by it from now on. */
  readonly identified: (id: number) => void
  readonly mayGive: (path: string, stored: EntryData | undefined) => boolean
}

export class StoredEntry {
  readonly #wire: Wire
  readonly #place: EntryPlace
  readonly #form: Form
  readonly #query: string
  readonly #around: Around
  #id: number | undefined
  #data: EntryData | undefined
  #tag: string | undefined
  #pending: readonly PendingSave[] = []

  /** @param loaded The answer that the form was made of; `undefined` for a new entry. */
  constructor(
    wire: Wire,
    place: EntryPlace,
    form: Form,
    query: string,
    loaded: Loaded | undefined,
    around: Around,
  ) {
    this.#wire = wire
    this.#place = place
    this.#form = form
    this.#query = query
    this.#around = around
    this.#id = form.base.id
    this.#data = loaded?.data
    this.#tag = loaded?.tag
  }

  /** `undefined` until a new entry is saved. */
  get id(): number | undefined {
    return this.#id
  }

  /** The entry in the last answer. */
  get data(): EntryData | undefined {
    return this.#data
  }

  get tag(): string | undefined {
    return this.#tag
  }

  /** The saves without an outcome, the oldest first. */
  get pending(): readonly PendingSave[] {
    return this.#pending
  }

  /** The values of the local copy beside those of the form. */
  get kept(): Pick<Draft, 'locale' | 'route' | 'tag' | 'pending'> {
    const { locale } = this.#data?.attributes ?? {}
    const { route } = this.#place
    return { ...(typeof locale === 'string' && { locale }), route, tag: this.#tag, pending: this.#pending }
  }

  /** Adds saves without an outcome that a local copy has. */
  addPending(saves: readonly PendingSave[]): void {
    this.#pending = [...this.#pending, ...saves]
  }

  /** Whether the next save creates the entry. */
  get isNew(): boolean {
    const { single, origin } = this.#place
    return this.#id === undefined && (single !== true || origin !== undefined)
  }

  /** Sends what has changed, once. @param asDraft As for {@link OpenEntry.save}. @returns `undefined` when there is more to save, `merged` when somebody else has changed values of it as well */
  write(state: SaveState, asDraft: boolean): Promise<SaveOutcome | 'merged' | undefined> {
    return this.isNew ? this.#create(state) : this.#update(state, asDraft)
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
    const save = earlier ?? { sent: this.#form.value(), key: randomText(), state }
    if (!earlier) {
      this.#pending = [save]
      await this.#around.keep()
    }
    const outcome = await this.#sendNew(save)
    if (outcome.kind === 'ok') {
      const failed = await this.#created(save, outcome.body)
      // Values that were typed since, or differ from the repeated create, are an update.
      return failed ?? (earlier && this.#differs(save, state) ? undefined : { kind: 'saved' })
    }
    // After any other answer the create may have been done by an earlier request: only its key keeps it from being done twice.
    if (outcome.kind !== 'refused') return failureOf(this.#form, outcome, save.sent)
    const isOld = earlier !== undefined && this.#differs(save, state)
    this.#pending = []
    return isOld ? undefined : failureOf(this.#form, outcome, save.sent)
  }

  /** Whether the page has other values than a create that was sent. */
  #differs({ sent, state }: PendingSave, now: SaveState): boolean {
    if (!sameJson(state, now)) return true
    if (!this.isNew) return this.#form.isChanged
    return !sameJson(this.#bodyOf(sent), this.#bodyOf(this.#form.value()))
  }

  readonly #mayGive = (path: string): boolean => this.#around.mayGive(path, this.#data)

  #bodyOf(value: GroupValue): object {
    return this.#form.createBody(value, this.#mayGive)
  }

  #sendNew({ sent, key = '', state }: PendingSave): Promise<Outcome> {
    const { route, single, locale, origin } = this.#place
    const data = { ...this.#bodyOf(sent), ...(locale !== undefined && { locale }), ...state }
    const headers = { 'Idempotency-Key': key }
    if (origin === undefined)
      return this.#wire.request('POST', `content/${route}?${this.#query}`, { body: { data }, headers })
    const of = single === true ? route : `${route}/${origin}`
    return this.#wire.request('POST', `content/${of}/localizations`, { body: data, headers })
  }

  /** @returns the outcome of a request that failed */
  async #created(save: PendingSave, body: unknown): Promise<SaveOutcome | undefined> {
    if (this.#place.origin === undefined) {
      if (!this.#saved(save.sent, body)) return { kind: 'outdated' }
      // The version; without it, the next save asks for it.
      await this.refresh()
      return this.#form.isOutdated ? { kind: 'outdated' } : undefined
    }
    // A translation has its shared values from the server: it is loaded, and what was sent is recognised.
    this.#identify((body as { readonly id: number }).id)
    const failed = await this.refresh()
    if (!failed) this.#pending = []
    return failed ?? (this.#form.isOutdated ? { kind: 'outdated' } : undefined)
  }

  /** Finds the translation that a request without an answer has made: an entry has one in each locale. */
  async #findTranslation(origin: number): Promise<SaveOutcome | undefined> {
    if (this.#place.single === true) return this.refresh()
    const found = await findTranslation(this.#wire, this.#place, origin)
    if ('kind' in found) return failureOf(this.#form, found, this.#form.value())
    this.#identify(found.id)
    return undefined
  }

  /** @returns `undefined` when the entry has another version by now, and `merged` when that has other values, which are to be sent with the own ones */
  async #update(state: SaveState, asDraft: boolean): Promise<SaveOutcome | 'merged' | undefined> {
    // An entry of a single type may have come into being since.
    if (this.#tag === undefined || this.#pending.length > 0) {
      const failed = await this.refresh()
      if (failed) return failed
    }
    if (this.#form.summary('').overlaps > 0) return { kind: 'overlaps' }
    // The server would take no notice of a field that it does not know, or that the person may not read.
    if (this.#form.isOutdated) return { kind: 'outdated' }
    const [fields, still] = [this.#form.updateBody(this.#mayGive), stateToSend(state, this.#data)]
    if (fields === undefined && Object.keys(still).length === 0) {
      this.#pending = []
      return { kind: 'saved' }
    }
    if (asDraft && this.#data?.attributes.publishedAt) return { kind: 'published' }
    const sent = this.#form.value()
    const before = this.#pending
    this.#pending = [...before, { sent }]
    await this.#around.keep()
    const outcome = await this.#wire.request('PUT', `${addressOf(this.#place, this.#id)}?${this.#query}`, {
      // The locale in the address of a single type finds an entry, and gives none to the first one.
      body: { data: { ...fields, ...(this.#id === undefined && { locale: this.#place.locale }), ...still } },
      headers: this.#tag === undefined ? {} : { 'If-Match': this.#tag },
    })
    if (outcome.kind === 'unknown') return outcome
    if (outcome.kind === 'ok') {
      if (!this.#saved(sent, outcome.body)) return { kind: 'outdated' }
      await this.refresh()
      return this.#form.isOutdated ? { kind: 'outdated' } : { kind: 'saved' }
    }
    this.#pending = before
    if (outcome.kind === 'changed') {
      const sentTag = this.#tag
      // Saves without an outcome may have been the change.
      this.#tag = undefined
      const loaded = await this.#load()
      if ('kind' in loaded) return loaded
      // The server knows no entry with this id that the person may change, so it has no version of it either.
      if (this.#tag === sentTag) return { kind: 'read-only' }
      return loaded.isChanged ? 'merged' : undefined
    }
    return failureOf(this.#form, outcome, sent)
  }

  /** @returns whether the answer could be read; otherwise the save stays among those without an outcome */
  #saved(sent: GroupValue, body: unknown): boolean {
    const { data } = body as { readonly data: EntryData }
    const value = readAnswer(this.#form.model, this.#place.uid, data)
    if (!value) return false
    this.#identify(data.id)
    this.#data = data
    this.#tag = undefined
    this.#pending = []
    this.#form.saved(sent, value)
    return true
  }

  #identify(id: number | undefined): void {
    if (this.#id === undefined && id !== undefined) this.#around.identified(id)
    this.#id = id
  }

  /** Loads the entry and merges it. */
  refresh(): Promise<SaveOutcome | undefined> {
    return this.#load().then((loaded) => ('kind' in loaded ? loaded : undefined))
  }

  /** Loads the entry and merges it. @returns whether somebody else has changed values of it */
  async #load(): Promise<SaveOutcome | { readonly isChanged: boolean }> {
    const address = addressOf(this.#place, this.#id)
    const loaded = await load(this.#wire, this.#form.model, address, this.#query, this.#place.uid)
    // A single type has no entry before its first save.
    if (loaded.kind === 'missing' && this.#id === undefined) return { isChanged: false }
    if (loaded.kind !== 'loaded') return failureOf(this.#form, loaded, this.#form.value())
    this.#identify(loaded.value.id)
    this.#tag = loaded.tag
    this.#data = loaded.data
    const pending = this.#pending.map(({ sent }) => sent)
    const isChanged = isChangedByOthers(this.#form, loaded.value, pending)
    this.#form.receive(loaded.value, pending)
    return { isChanged }
  }
}
