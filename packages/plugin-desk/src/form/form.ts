import { idsIn, withIds, withKeysOf, withSentKeys } from './adopt.ts'
import { type Body, createBody, type MayGive, updateBody } from './body.ts'
import { type CheckOptions, check, type FieldError } from './check.ts'
import { fittingOverlap } from './fitting.ts'
import { type FormOptions, FormTree } from './form-tree.ts'
import { type Content, History, type Patch, sameContent } from './history.ts'
import { mergeEntries, type Overlap } from './merge.ts'
import type { FormModel } from './model.ts'
import type { FormNode, Listener, Summary } from './nodes.ts'
import { besideTheirs } from './rewritten.ts'
import { contentOfTheirs, withoutOthers } from './sides.ts'
import { withUnanswered } from './unanswered.ts'
import { type ComponentValue, copyOf, emptyGroup, type GroupValue, type Linked } from './value.ts'

export interface EditOptions {
  /** Whether the edit is one of many of a person who types: they are undone together. Default false. */
  readonly typing?: boolean
  /** The key of a field whose edit this one follows, such as the title of an address: both are undone together. */
  readonly follows?: string
}

/**
 * An entry that a person edits: its nodes by key, with subscriptions, undo, and the base that the changes are counted from.
 *
 *     const form = new Form(model, readEntry(model, uid, answer.data))
 *     form.set('title', 'First light', { typing: true })
 *     form.updateBody() // { title: 'First light' }
 */
export class Form {
  readonly model: FormModel
  readonly #tree: FormTree
  readonly #history: History
  readonly #ofHistory = new Set<Listener>()
  #base: GroupValue
  #lacking: readonly string[] = []
  #patches: Patch[] | undefined

  /** @param base The stored entry; {@link emptyGroup} for a new one. @param mine The value, when it differs. */
  constructor(
    model: FormModel,
    base: GroupValue,
    options: FormOptions & { readonly mine?: GroupValue } = {},
  ) {
    this.model = model
    this.#tree = new FormTree(model, base, options)
    this.#history = new History(options.now ?? Date.now)
    this.#base = base
    if (options.mine) this.#tree.apply(options.mine)
    this.#tree.nodes.notify()
  }

  /** The entry as it is stored, as far as this form knows. */
  get base(): GroupValue {
    return this.#base
  }

  /** The node with a key, in its present state; another object after each change. @throws Error for a key of no node */
  get(key: string): FormNode {
    return this.#tree.nodes.get(key)
  }

  find(key: string): FormNode | undefined {
    return this.#tree.nodes.find(key)
  }

  /** Numbers of changes, errors and overlaps at a node and below. `form.summary('')` is that of the entry. */
  summary(key: string): Summary {
    return this.#tree.nodes.summary(key)
  }

  /** Calls `listener` after each change of this node. @returns a function that ends the subscription */
  subscribe(key: string, listener: Listener): () => void {
    return this.#tree.nodes.subscribe(key, listener)
  }

  /** Calls `listener` after each change of this node or of one below it. */
  subscribeSummary(key: string, listener: Listener): () => void {
    return this.#tree.nodes.subscribeSummary(key, listener)
  }

  /** Calls `listener` when {@link canUndo} or {@link canRedo} may have changed. */
  subscribeHistory(listener: Listener): () => void {
    this.#ofHistory.add(listener)
    return () => void this.#ofHistory.delete(listener)
  }

  /** The keys from the entry to a node, both included: those to open so that the node can be seen. */
  pathTo(key: string): readonly string[] {
    const path: string[] = []
    for (let at: string | undefined = key; at !== undefined; at = this.find(at)?.parent) path.unshift(at)
    return path
  }

  /** The whole value. */
  value(): GroupValue {
    return this.#tree.value()
  }

  get isChanged(): boolean {
    return this.summary('').changed > 0
  }

  /** Whether a field is changed that the last answer lacks: the page is older than the content, or than the rights of the person. */
  get isOutdated(): boolean {
    return this.#lacking.some((key) => this.#tree.nodes.isAttached(key) && this.summary(key).changed > 0)
  }

  /** The body of a PUT, `undefined` when nothing has changed. */
  updateBody(mayGive?: MayGive): Body | undefined {
    return updateBody(this.model, this.#base, this.value(), mayGive)
  }

  /** The body of a POST. @param value Default: the present one. */
  createBody(value: GroupValue = this.value(), mayGive?: MayGive): Body {
    return createBody(this.model, value, mayGive)
  }

  /** Several edits that are undone together; subscribers are called at the end. */
  transaction(edits: () => void, { typing = false, follows }: EditOptions = {}): void {
    if (this.#patches) {
      edits()
      return
    }
    const patches: Patch[] = []
    this.#patches = patches
    try {
      edits()
    } finally {
      this.#patches = undefined
      this.#history.add(patches, typing, follows)
      this.#tree.nodes.notify()
      this.#historyChanged()
    }
  }

  /** Sets a scalar attribute: any JSON; null for none. @param unfinished The text of the input, while it is not a valid value; `value` is then the last valid one. */
  set(key: string, value: unknown, options: EditOptions = {}, unfinished?: string): void {
    this.#edit(key, { kind: 'scalar', value, unfinished }, options)
  }

  /** Links an entry, in place of the present one when the relation has one. An entry that is linked is moved. @param index Default: at the end. */
  link(key: string, entry: Linked, index?: number): void {
    const { items, shape } = this.#tree.relation(key)
    const others = items.filter(({ id }) => id !== entry.id)
    const next = shape.many ? others.toSpliced(index ?? others.length, 0, entry) : [entry]
    this.#edit(key, { kind: 'relation', items: next })
  }

  unlink(key: string, id: number): void {
    const items = this.#tree.relation(key).items.filter((item) => item.id !== id)
    this.#edit(key, { kind: 'relation', items })
  }

  /** Takes over the attributes of a linked entry, which has been changed at its own place. That is no change of this entry. */
  relabel(key: string, entry: Linked): void {
    this.#tree.relabel(this.#tree.relation(key), entry)
    this.#tree.nodes.notify()
  }

  /** Moves a linked entry. @param index Its index afterwards. */
  moveLink(key: string, id: number, index: number): void {
    const entry = this.#tree.relation(key).items.find((item) => item.id === id)
    if (entry) this.link(key, entry, index)
  }

  /**
   * Inserts an empty component, or a copy of one. Without `many` it takes the place of the present one.
   *
   * @param given A uid, or a component to copy: {@link copied} of this form or of another one.
   * @param index Default: at the end.
   * @returns the key of the new component
   * @throws Error for a component that the list does not take
   */
  insert(key: string, given: string | GroupValue, index?: number): string {
    const { items, shape } = this.#tree.components(key)
    const content = typeof given === 'string' ? emptyGroup(this.model, given) : given
    if (!shape.uids.includes(content.uid)) throw new Error(`${key} takes no ${content.uid}.`)
    const item = this.#tree.add(key, copyOf(this.model, content, this.#tree.newKey))
    this.#edit(key, {
      kind: 'components',
      items: shape.many ? items.toSpliced(index ?? items.length, 0, item) : [item],
    })
    return item
  }

  /** Removes a component from its list; undo brings it back. */
  remove(component: string): void {
    const key = this.get(component).parent ?? ''
    const items = this.#tree.components(key).items.filter((item) => item !== component)
    this.#edit(key, { kind: 'components', items })
  }

  /** Moves a component within its list. @param index Its index afterwards. */
  move(component: string, index: number): void {
    const key = this.get(component).parent ?? ''
    const others = this.#tree.components(key).items.filter((item) => item !== component)
    this.#edit(key, { kind: 'components', items: others.toSpliced(index, 0, component) })
  }

  /** A component as data, for {@link insert} at another place or in another entry. It can be written as JSON. */
  copied(component: string): ComponentValue {
    return copyOf(this.model, this.#tree.componentValue(component), this.#tree.newKey)
  }

  get canUndo(): boolean {
    return this.#history.canUndo
  }

  get canRedo(): boolean {
    return this.#history.canRedo
  }

  /** Takes the last step back. Changes of others in the same lists remain. @returns the key of the field that changed */
  undo(): string | undefined {
    return this.#replay(this.#history.undo())
  }

  redo(): string | undefined {
    return this.#replay(this.#history.redo())
  }

  #replay(patches: readonly Patch[]): string | undefined {
    for (const { key, before, after } of patches) {
      const node = this.get(key)
      const many = (node.kind === 'relation' || node.kind === 'components') && node.shape.many
      this.#tree.setContent(key, withoutOthers(this.#tree.content(key), before, after, many))
    }
    this.#tree.nodes.notify()
    this.#historyChanged()
    return patches[0]?.key
  }

  /** Shows errors at their nodes, in place of earlier ones. An edit of a field removes its errors. */
  setErrors(errors: readonly FieldError[]): void {
    this.#tree.setErrors(errors)
    this.#tree.nodes.notify()
  }

  /** The mistakes that need no server. */
  mistakes(options: CheckOptions = {}): readonly FieldError[] {
    return check(this.model, this.value(), { stored: this.#base, ...options })
  }

  /** All errors in the order of the form, for the line on top; {@link pathTo} leads to each. */
  errors(): readonly FieldError[] {
    return this.#tree.inOrder().flatMap(({ key, errors }) => errors.map((message) => ({ key, message })))
  }

  /** All overlaps that are not resolved, in the order of the form. */
  overlaps(): readonly Overlap[] {
    return this.summary('').overlaps === 0 ? [] : this.#tree.inOrder().flatMap(({ overlaps }) => overlaps)
  }

  /**
   * Takes over the answer of a save. Edits since the save remain changes.
   *
   * @param sent The value that was saved: {@link value} at that time.
   * @param answer The entry as the server answered.
   */
  saved(sent: GroupValue, answer: GroupValue): void {
    const stored = withSentKeys(answer, sent)
    const ids = idsIn(stored)
    const { value } = mergeEntries(this.model, withIds(sent, ids), withIds(this.value(), ids), stored)
    this.#history.close()
    this.#become(stored, value, [])
  }

  /**
   * Merges the entry as it is stored now, after somebody else has changed it.
   *
   * @param pending The values of saves whose outcome is unknown; the parts that they have created are recognised.
   * @returns the overlaps, which the form shows at their nodes until they are resolved
   */
  receive(theirs: GroupValue, pending: readonly GroupValue[] = []): readonly Overlap[] {
    const known = besideTheirs(this.model, { base: this.#base, mine: this.value() }, pending, theirs)
    const { value, overlaps } = mergeEntries(this.model, known.base, known.mine, theirs)
    this.#become(withKeysOf(theirs, value), value, overlaps)
    return overlaps
  }

  /**
   * Merges changes of a local copy into the form.
   *
   * @param base The stored entry that the changes began with.
   * @param mine The value with the changes.
   * @param pending As for {@link receive}.
   * @param kept The overlaps that were not resolved when the copy was written.
   */
  restore(
    base: GroupValue,
    mine: GroupValue,
    pending: readonly GroupValue[] = [],
    kept: readonly Overlap[] = [],
  ): readonly Overlap[] {
    const known = besideTheirs(this.model, { base, mine }, pending, this.#base)
    const { value, overlaps } = mergeEntries(this.model, known.base, known.mine, this.value())
    const shown = [...kept.flatMap((one) => fittingOverlap(this.find(one.key), one) ?? []), ...overlaps]
    this.#become(withKeysOf(this.#base, value), { ...value, id: this.#base.id }, shown)
    return overlaps
  }

  #become(base: GroupValue, mine: GroupValue, overlaps: readonly Overlap[]): void {
    const answered = withUnanswered(this.model, base, this.#base, mine)
    this.#base = answered.base
    this.#lacking = answered.lacking
    this.#tree.apply(mine)
    this.#tree.setBase(this.#base)
    this.#tree.addOverlaps(overlaps)
    this.#tree.nodes.notify()
  }

  /** Ends an overlap with one of its values. The choice of theirs can be undone. */
  resolve(overlap: Overlap, side: 'mine' | 'theirs'): void {
    if (side === 'theirs') {
      const content = contentOfTheirs(this.#tree, overlap)
      if (content) this.#edit(overlap.key, content)
    }
    this.#tree.dropOverlap(overlap)
    this.#tree.nodes.notify()
  }

  #edit(key: string, after: Content, options: EditOptions = {}): void {
    const before = this.#tree.content(key)
    if (before.kind !== after.kind) throw new Error(`${key} is no ${after.kind}.`)
    if (sameContent(before, after)) return
    this.transaction(() => {
      this.#tree.setContent(key, after)
      this.#patches?.push({ key, before, after })
    }, options)
  }

  #historyChanged(): void {
    for (const listener of this.#ofHistory) listener()
  }
}
