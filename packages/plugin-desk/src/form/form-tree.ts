import type { FieldError } from './check.ts'
import { type Content, sameContent } from './history.ts'
import { childKey, isSamePlace, type Overlap } from './merge.ts'
import { type Field, type FormModel, fieldOf, fieldsOf, schemaOf } from './model.ts'
import {
  type ComponentsNode,
  type FieldNode,
  type FormNode,
  type GroupNode,
  Nodes,
  type RelationNode,
} from './nodes.ts'
import { randomKey } from './random.ts'
import { sameJson, sameScalar } from './same.ts'
import { type ComponentValue, type FieldValue, type GroupValue, identityOf, type Linked } from './value.ts'

export interface FormOptions {
  /** The time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number
  /** A key for a new component, which no other tab gives. Default: random. */
  readonly newKey?: () => string
}

/** The value of a form as nodes, with the saved value beside it. */
export class FormTree {
  readonly nodes = new Nodes()
  readonly newKey: () => string
  readonly #model: FormModel
  /** The saved content of each field; fields of new components have none. */
  readonly #saved = new Map<string, Content>()
  /** The values of components by key, with the versions of their summaries: a component that has not changed keeps its value. */
  readonly #values = new Map<string, { readonly version: number; readonly value: ComponentValue }>()

  constructor(model: FormModel, base: GroupValue, { newKey = randomKey }: FormOptions) {
    this.#model = model
    this.newKey = newKey
    this.#rememberGroup(base, '')
    this.#putGroup(base, '', undefined)
  }

  /** Makes the nodes equal to a value. Nodes that stay the same are not replaced. */
  apply(value: GroupValue): void {
    this.#putGroup(value, '', undefined)
  }

  /** Adds a component that is in no list yet. @returns its key */
  add(list: string, item: ComponentValue): string {
    const key = this.keyOf(list, item)
    this.#putGroup(item, key, list)
    return key
  }

  keyOf = (list: string, item: ComponentValue): string => childKey(list, item.key)

  #putGroup(group: GroupValue, key: string, parent: string | undefined): void {
    const known = this.nodes.find(key)
    const fields: Record<string, string> = {}
    for (const { name } of fieldsOf(schemaOf(this.#model, group.uid)))
      if (group.fields[name] !== undefined) fields[name] = childKey(key, name)
    if (known?.kind !== 'group') {
      const node: GroupNode = {
        kind: 'group',
        key,
        parent,
        uid: group.uid,
        id: group.id,
        fields,
        ...untouched,
      }
      if (parent === undefined) this.nodes.put(node)
      else this.nodes.putDetached(node)
    } else if (known.id !== group.id || !sameJson(known.fields, fields))
      this.nodes.put({ ...known, id: group.id, fields })
    for (const name of Object.keys(fields)) {
      const value = group.fields[name]
      if (value) this.#putField(fieldOf(this.#model, group.uid, name), value, childKey(key, name), key)
    }
  }

  #putField({ name, definition, shape }: Field, value: FieldValue, key: string, parent: string): void {
    const content = this.#contentOf(value, key)
    if (this.nodes.find(key)) {
      this.setContent(key, content, false)
      return
    }
    const state = { key, parent, name, definition, ...untouched, changed: this.#differs(key, content) }
    if (content.kind === 'scalar') this.nodes.put({ ...state, ...content })
    else this.nodes.put({ ...state, shape, ...content } as FieldNode)
  }

  /** Adds the components of a value, and gives its content. */
  #contentOf(value: FieldValue, key: string): Content {
    if (value.kind !== 'components') return value
    return { kind: 'components', items: value.items.map((item) => this.add(key, item)) }
  }

  /** @param edited Whether a person has changed it: the errors of the field then no longer hold. Default true. */
  setContent(key: string, content: Content, edited = true): void {
    const node = this.nodes.get(key)
    if (node.kind === 'group') throw new Error(`${key} is no field.`)
    const changed = this.#differs(key, content)
    const same = isContent(node, content)
    const errors = edited && node.errors.length > 0 ? [] : node.errors
    if (same && node.changed === changed && node.errors === errors) return
    // A value takes the place of unfinished text.
    const next = same ? {} : { unfinished: undefined, ...content }
    this.nodes.put({ ...node, ...next, changed, errors } as FieldNode)
  }

  /** @throws Error for a key of no field */
  content(key: string): Content {
    const node = this.nodes.get(key)
    switch (node.kind) {
      case 'scalar':
        return { kind: 'scalar', value: node.value, unfinished: node.unfinished }
      case 'relation':
        return { kind: 'relation', items: node.items }
      case 'components':
        return { kind: 'components', items: node.items }
      case 'group':
        throw new Error(`${key} is no field.`)
    }
  }

  relation(key: string): RelationNode {
    const node = this.nodes.get(key)
    if (node.kind !== 'relation') throw new Error(`${key} is no relation.`)
    return node
  }

  components(key: string): ComponentsNode {
    const node = this.nodes.get(key)
    if (node.kind !== 'components') throw new Error(`${key} has no components.`)
    return node
  }

  /** Replaces the attributes of a linked entry. */
  relabel(node: RelationNode, entry: Linked): void {
    const items = node.items.map((item) => (item.id === entry.id ? entry : item))
    this.nodes.put({ ...node, items })
  }

  #differs(key: string, content: Content): boolean {
    const saved = this.#saved.get(key)
    return saved !== undefined && !sameContent(saved, content)
  }

  /** Changes are counted from this value. Its components have the keys of the nodes. */
  setBase(base: GroupValue): void {
    this.#saved.clear()
    this.#rememberGroup(base, '')
    for (const node of this.inOrder())
      if (node.kind !== 'group') this.setContent(node.key, this.content(node.key), false)
  }

  #rememberGroup(group: GroupValue, at: string): void {
    for (const [name, value] of Object.entries(group.fields)) {
      const key = childKey(at, name)
      if (value.kind !== 'components') {
        this.#saved.set(key, value)
        continue
      }
      this.#saved.set(key, { kind: 'components', items: value.items.map((item) => this.keyOf(key, item)) })
      for (const item of value.items) this.#rememberGroup(item, this.keyOf(key, item))
    }
  }

  setErrors(errors: readonly FieldError[]): void {
    const wanted = new Map<string, string[]>()
    for (const { key, message } of errors) {
      const at = this.#nearest(key)
      wanted.set(at, [...(wanted.get(at) ?? []), message])
    }
    for (const node of this.inOrder()) {
      const own = wanted.get(node.key) ?? []
      if (!sameJson(node.errors, own)) this.nodes.put({ ...node, errors: own })
    }
  }

  /** A component that has been removed since has its error at the list. */
  #nearest(key: string): string {
    let at = key
    while (at !== '' && !this.nodes.isAttached(at)) at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
    return at
  }

  /** Adds overlaps. An overlap that is not resolved yet stays, unless a newer one is about the same. */
  addOverlaps(overlaps: readonly Overlap[]): void {
    for (const overlap of overlaps) {
      const node = this.nodes.get(this.#nearest(overlap.key))
      this.nodes.put({
        ...node,
        overlaps: [...node.overlaps.filter((one) => !isSamePlace(one, overlap)), overlap],
      })
    }
  }

  dropOverlap(overlap: Overlap): void {
    for (const node of this.inOrder()) {
      const others = node.overlaps.filter((one) => !isSamePlace(one, overlap))
      if (others.length < node.overlaps.length) this.nodes.put({ ...node, overlaps: others })
    }
  }

  /** All nodes of the entry, those above before those below. */
  inOrder(key = ''): readonly FormNode[] {
    const node = this.nodes.get(key)
    const below =
      node.kind === 'group' ? Object.values(node.fields) : node.kind === 'components' ? node.items : []
    return [node, ...below.flatMap((child) => this.inOrder(child))]
  }

  value(): GroupValue {
    return this.#groupValue(this.nodes.get(''))
  }

  /** The value of a component: one object until the component, or a component in it, changes. */
  componentValue(key: string): ComponentValue {
    const { version } = this.nodes.summary(key)
    const known = this.#values.get(key)
    if (known?.version === version) return known.value
    const node = this.nodes.get(key)
    const list = node.parent ?? ''
    const value = { ...this.#groupValue(node), key: key.slice(list.length + 1) }
    this.#values.set(key, { version, value })
    return value
  }

  identity = (key: string): string => identityOf(this.componentValue(key))

  #groupValue(node: FormNode): GroupValue {
    if (node.kind !== 'group') throw new Error(`${node.key} is no entry and no component.`)
    const fields = Object.entries(node.fields).map(([name, key]) => [name, this.#fieldValue(key)])
    return { uid: node.uid, id: node.id, fields: Object.fromEntries(fields) }
  }

  #fieldValue(key: string): FieldValue {
    const content = this.content(key)
    return content.kind === 'components'
      ? { kind: 'components', items: content.items.map((item) => this.componentValue(item)) }
      : content
  }
}

const untouched = { changed: false, errors: [], overlaps: [] } as const

const isContent = (node: FieldNode, content: Content): boolean =>
  node.kind === 'scalar' ? content.kind === 'scalar' && sameScalar(node, content) : sameContent(node, content)
