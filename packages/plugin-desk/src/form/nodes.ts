/** The nodes of a form and their subscribers. */
import type { Overlap } from './merge.ts'
import type { AttributeDefinition, FieldShape } from './model.ts'
import type { Linked, ScalarValue } from './value.ts'

interface NodeState {
  /** Does not change while the form lives: `title`, `sections/page.text:12/text`; `''` for the entry. */
  readonly key: string
  /** `undefined` for the entry. */
  readonly parent: string | undefined
  /** Whether the value differs from the saved one. Fields of a new component are not changed; the list that has it is. */
  readonly changed: boolean
  /** Sentences without the place: `must be at least 2 characters`. */
  readonly errors: readonly string[]
  /** Places where somebody else has changed the same; see {@link Form.resolve}. */
  readonly overlaps: readonly Overlap[]
}

/** The entry, or a component. */
export interface GroupNode extends NodeState {
  readonly kind: 'group'
  readonly uid: string
  readonly id: number | undefined
  /** Keys of the fields by their names, in the order of the definition. */
  readonly fields: Readonly<Record<string, string>>
}

interface FieldState extends NodeState {
  readonly name: string
  readonly definition: AttributeDefinition
}

export interface ScalarNode extends FieldState, ScalarValue {}

export interface RelationNode extends FieldState {
  readonly kind: 'relation'
  readonly shape: FieldShape & { readonly kind: 'relation' }
  readonly items: readonly Linked[]
}

export interface ComponentsNode extends FieldState {
  readonly kind: 'components'
  readonly shape: FieldShape & { readonly kind: 'components' }
  /** Keys of groups. */
  readonly items: readonly string[]
}

export type FieldNode = ScalarNode | RelationNode | ComponentsNode
export type FormNode = GroupNode | FieldNode

/** The counts of a node and all nodes below it together. */
export interface Summary {
  readonly changed: number
  readonly errors: number
  readonly overlaps: number
  /** Grows with every change of the node or one below it. */
  readonly version: number
}

const nothing: Summary = { changed: 0, errors: 0, overlaps: 0, version: 0 }

const ownTotals = (node: FormNode): Omit<Summary, 'version'> => ({
  changed: node.changed ? 1 : 0,
  errors: node.errors.length,
  overlaps: node.overlaps.length,
})

export type Listener = () => void

/**
 * Nodes by key. Nodes are replaced and never changed, so that a page compares them by identity. A change costs as much as the node is
 * deep: the node is replaced, and the summaries above it are.
 */
export class Nodes {
  readonly #nodes = new Map<string, FormNode>()
  readonly #summaries = new Map<string, Summary>()
  /** Components that are in no list: removed ones, which undo may bring back. */
  readonly #detached = new Set<string>()
  readonly #ofNodes = new Listeners()
  readonly #ofSummaries = new Listeners()

  find(key: string): FormNode | undefined {
    return this.#nodes.get(key)
  }

  /** @throws Error for a key of no node */
  get(key: string): FormNode {
    const node = this.#nodes.get(key)
    if (!node) throw new Error(`The form has no node ${key}.`)
    return node
  }

  summary(key: string): Summary {
    return this.#summaries.get(key) ?? nothing
  }

  isDetached(key: string): boolean {
    return this.#detached.has(key)
  }

  /** Whether a node is part of the entry now. */
  isAttached(key: string): boolean {
    for (let at: string | undefined = key; at !== undefined; at = this.#nodes.get(at)?.parent)
      if (this.#detached.has(at)) return false
    return this.#nodes.has(key)
  }

  /** Adds a node or replaces it. A node below another is added before the one above it refers to it. */
  put(node: FormNode): void {
    const before = this.#nodes.get(node.key)
    if (before === node) return
    this.#nodes.set(node.key, node)
    if (before?.kind === 'components' || node.kind === 'components')
      this.#setItems(
        before?.kind === 'components' ? before.items : [],
        node.kind === 'components' ? node.items : [],
      )
    const [old, now] = [before ? ownTotals(before) : nothing, ownTotals(node)]
    this.#add(node.key, {
      changed: now.changed - old.changed,
      errors: now.errors - old.errors,
      overlaps: now.overlaps - old.overlaps,
    })
    this.#ofNodes.mark(node.key)
  }

  /** A new component is detached until its list has it. */
  putDetached(node: GroupNode): void {
    if (!this.#nodes.has(node.key)) this.#detached.add(node.key)
    this.put(node)
  }

  #setItems(before: readonly string[], after: readonly string[]): void {
    const [old, now] = [new Set(before), new Set(after)]
    for (const key of before) {
      if (now.has(key)) continue
      const { changed, errors, overlaps } = this.summary(key)
      const parent = this.#nodes.get(key)?.parent
      if (parent !== undefined) this.#add(parent, { changed: -changed, errors: -errors, overlaps: -overlaps })
      this.#detached.add(key)
    }
    for (const key of after) {
      if (old.has(key)) continue
      this.#detached.delete(key)
      const parent = this.#nodes.get(key)?.parent
      if (parent !== undefined) this.#add(parent, this.summary(key))
    }
  }

  #add(key: string, { changed, errors, overlaps }: Omit<Summary, 'version'>): void {
    for (let at: string | undefined = key; at !== undefined; at = this.#nodes.get(at)?.parent) {
      const old = this.summary(at)
      this.#summaries.set(at, {
        changed: old.changed + changed,
        errors: old.errors + errors,
        overlaps: old.overlaps + overlaps,
        version: old.version + 1,
      })
      this.#ofSummaries.mark(at)
      if (this.#detached.has(at)) return
    }
  }

  subscribe(key: string, listener: Listener): () => void {
    return this.#ofNodes.add(key, listener)
  }

  subscribeSummary(key: string, listener: Listener): () => void {
    return this.#ofSummaries.add(key, listener)
  }

  /** Calls the subscribers of everything that has changed since the last call, each once. */
  notify(): void {
    const called = new Set<Listener>([...this.#ofNodes.take(), ...this.#ofSummaries.take()])
    for (const listener of called) listener()
  }
}

/** Listeners by key, and the keys that have changed. */
class Listeners {
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #marked = new Set<string>()

  add(key: string, listener: Listener): () => void {
    const own = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, own.add(listener))
    return () => {
      own.delete(listener)
      if (own.size === 0 && this.#listeners.get(key) === own) this.#listeners.delete(key)
    }
  }

  mark(key: string): void {
    if (this.#listeners.has(key)) this.#marked.add(key)
  }

  take(): readonly Listener[] {
    const taken = [...this.#marked].flatMap((key) => [...(this.#listeners.get(key) ?? [])])
    this.#marked.clear()
    return taken
  }
}
