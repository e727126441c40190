import { DraftKeeper, type DraftOptions, type DraftStorage, draftPrefix, readDraft } from '../form/draft.ts'
import type { Draft } from '../form/draft-text.ts'
import { type Changes, emptyGroup, Form, type FormModel, type FormOptions, fitting } from '../form/index.ts'
import { addressOf, type EntryData, type EntryPlace, firstPlace, type Loaded, load, queryOf } from './load.ts'
import type { PopulateOptions } from './populate.ts'
import type { SaveOutcome, SaveState } from './save-outcome.ts'
import { StoredEntry } from './stored-entry.ts'
import type { Outcome, Wire } from './wire.ts'

export interface OpenOptions extends PopulateOptions, FormOptions, DraftOptions {
  readonly storage: DraftStorage
  /** A name of this tab that no other one has. */
  readonly tab: string
  /** Whether another tab is open; the copies of closed ones are restored. Default: none is. */
  readonly isOpen?: (tab: string) => Promise<boolean>
  /**
   * Whether an entry without a copy of its own or of a closed tab begins with that of an open one, which keeps it. Default false.
   */
  readonly borrows?: boolean
  /**
   * Whether the person may give the entry, or a new part of it, a value at a path such as `seo.metaTitle`. Default: every one.
   *
   * @param stored `undefined` for a new entry.
   */
  readonly mayGive?: (path: string, stored: EntryData | undefined) => boolean
}

/** How often a save is merged and sent again while others write the same entry. */
const attempts = 5

/** An entry that a person edits: its form, its version at the server, and its local copy. */
export class OpenEntry {
  readonly form: Form
  readonly #place: EntryPlace
  readonly #options: OpenOptions
  readonly #keeper: DraftKeeper
  readonly #server: StoredEntry
  #restored: number | undefined
  #left: readonly Changes[] = []
  #saving: Promise<SaveOutcome> | undefined

  private constructor(
    wire: Wire,
    place: EntryPlace,
    form: Form,
    query: string,
    loaded: Loaded | undefined,
    options: OpenOptions,
  ) {
    this.#place = place
    this.#options = options
    this.form = form
    this.#server = new StoredEntry(wire, place, form, query, loaded, {
      keep: () => this.#keeper.flush(),
      identified: (id) => this.#renamed(id),
      mayGive: options.mayGive ?? (() => true),
    })
    this.#keeper = new DraftKeeper(
      `${draftPrefix(place)}${options.tab}`,
      options.storage,
      form,
      () => ({ ...this.#server.kept, ...(this.#left.length > 0 && { left: this.#left }) }),
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
    const query = queryOf(model, place, options)
    const isNew = typeof place.entry === 'string'
    const answer = isNew
      ? undefined
      : await load(wire, model, addressOf(place, place.entry), query, place.uid)
    // The entry of a single type comes into being with its first save.
    const isFirst = place.single === true && answer?.kind === 'missing'
    if (answer && answer.kind !== 'loaded' && !isFirst) return answer as Outcome
    const at = isFirst ? await firstPlace(wire, place) : place
    if ('kind' in at) return at
    const loaded = answer?.kind === 'loaded' ? answer : undefined
    const form = new Form(model, loaded?.value ?? emptyGroup(model, place.uid), options)
    const entry = new OpenEntry(wire, at, form, query, loaded, options)
    await entry.#restore()
    return entry
  }

  /** The id; `undefined` until a new entry is saved. */
  get id(): number | undefined {
    return this.#server.id
  }

  /** The entry in the last answer of the server; `undefined` until a new one is saved. */
  get stored(): EntryData | undefined {
    return this.#server.data
  }

  /** When the newest local copy was written that closed tabs had left, in milliseconds since 1970; `undefined` without one. */
  get restored(): number | undefined {
    return this.#restored
  }

  /** Changes of local copies that this form has no place for. They stay in the copy until they are forgotten, or have a place again. */
  get left(): readonly Changes[] {
    return this.#left
  }

  forgetLeft(): Promise<void> {
    this.#left = []
    return this.#keeper.flush()
  }

  /** Whether a closing tab would lose what is not at the server. */
  get isUnsaved(): boolean {
    return this.form.isChanged || this.#server.pending.length > 0
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
    const { storage, tab, isOpen = async () => false, borrows = false } = this.#options
    const prefix = draftPrefix(this.#place)
    const taken: string[] = []
    let borrowed: Draft | undefined
    for (const key of await storage.keys(prefix)) {
      const owner = key.slice(prefix.length)
      const draft = readDraft(await storage.get(key))
      if (owner !== tab && (await isOpen(owner))) {
        borrowed ??= draft
        continue
      }
      if (draft && !this.#include(draft)) continue
      if (owner !== tab) taken.push(key)
    }
    // An entry that the other tab has sent is its own.
    if (borrows && borrowed && this.#restored === undefined) this.#include({ ...borrowed, pending: [] })
    // The copies of others are deleted when their content is in the copy of this tab.
    await this.#keeper.flush()
    for (const key of taken) await storage.delete(key)
  }

  /** @returns whether the copy is taken; otherwise it stays where it is */
  #include(draft: Draft): boolean {
    const { mayGive = () => true } = this.#options
    const { form } = this
    const present = form.base
    const left: Changes[] = []
    try {
      const sent = draft.pending.map((one) => one.sent)
      for (const changes of [draft, ...(draft.left ?? [])]) {
        const divided = fitting(form.model, changes, present, (path) => mayGive(path, this.stored))
        const { base, mine } = divided.fits
        if (changes === draft) form.restore(base, mine, sent, draft.overlaps)
        else form.restore(base, mine)
        if (divided.left) left.push(divided.left)
      }
    } catch {
      return false
    }
    this.#left = [...this.#left, ...left]
    this.#server.addPending(draft.pending)
    if (this.isUnsaved) this.#restored = Math.max(this.#restored ?? 0, draft.at)
    return true
  }

  /**
   * Saves what has changed. Calls during a save wait for it and save once more.
   *
   * @param state Values that are saved with it, also when no field has changed: `{ publishedAt: null }`.
   * @param asDraft Whether to save it only while it is a draft: the person has been told that readers will not see the changes. Default false.
   */
  async save(state: SaveState = {}, asDraft = false): Promise<SaveOutcome> {
    while (this.#saving) await this.#saving
    this.#saving = this.#save(state, asDraft)
    try {
      return await this.#saving
    } finally {
      this.#saving = undefined
    }
  }

  async #save(state: SaveState, asDraft: boolean): Promise<SaveOutcome> {
    let merged = false
    for (let i = 0; i < attempts; i += 1) {
      const outcome = await this.#server.write(state, asDraft)
      if (outcome !== undefined && outcome !== 'merged') {
        await this.#keeper.flush()
        return outcome.kind === 'saved' ? { kind: 'saved', merged } : outcome
      }
      merged ||= outcome === 'merged'
    }
    return { kind: 'busy', after: undefined }
  }

  #renamed(id: number): void {
    if (typeof this.#place.entry === 'string')
      this.#keeper.rename(
        `${draftPrefix({ ...this.#place, locale: undefined, entry: id })}${this.#options.tab}`,
      )
  }

  /** Takes over what others have changed since the entry was loaded. */
  async refresh(): Promise<SaveOutcome | undefined> {
    while (this.#saving) await this.#saving
    return this.id === undefined ? undefined : this.#server.refresh()
  }
}
