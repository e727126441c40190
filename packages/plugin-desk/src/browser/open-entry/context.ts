import {
  type ComponentType,
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useRef,
  useSyncExternalStore,
} from 'react'
import type { FieldNode, Form, FormNode, Summary } from '../../form/index.ts'
import type { EntryData } from '../../wire/index.ts'
import type { FieldLook } from '../model/layout.ts'
import type { ContentType } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import type { Beside } from './beside.ts'
import { lookOfNode } from './labels.ts'
import type { Unfinished } from './unfinished.ts'

/** The parts of zones that are open, by key. Each has its own subscribers: opening one draws no other anew. */
export class OpenParts {
  readonly #open: Set<string>
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(open: Iterable<string> = []) {
    this.#open = new Set(open)
  }

  /** The keys that the open parts have in a form that is made anew of the stored entry. Parts that are not stored have none. */
  keysOnceLoaded(form: Form): readonly string[] {
    return [...this.#open].flatMap((key) => {
      const names = form.pathTo(key).flatMap((at) => {
        const node = form.find(at)
        if (!node || at === '') return []
        if (node.kind !== 'group') return [node.name]
        return [node.id === undefined ? undefined : `${node.uid}:${node.id}`]
      })
      return names.length === 0 || names.includes(undefined) ? [] : [names.join('/')]
    })
  }

  has(key: string): boolean {
    return this.#open.has(key)
  }

  set(key: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(key)
    else this.#open.delete(key)
    for (const listener of this.#listeners.get(key) ?? []) listener()
  }

  subscribe(key: string, listener: () => void): () => void {
    const own = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, own.add(listener))
    return () => {
      own.delete(listener)
      if (own.size === 0 && this.#listeners.get(key) === own) this.#listeners.delete(key)
    }
  }
}

export interface PanelProps {
  readonly type: ContentType
  /** `undefined` for a new entry. */
  readonly id: number | undefined
  /** The first values of a new entry. */
  readonly label: Readonly<Record<string, string>> | undefined
  readonly onSaved: (entry: EntryData) => void
  readonly onClose: () => void
}

/** The form of an entry, for its fields. */
export interface EntryContext {
  readonly form: Form
  readonly type: ContentType
  readonly open: OpenParts
  /** Draws a field by its key. Here, since components have fields, which may be components. */
  readonly Field: ComponentType<{ readonly fieldKey: string }>
  /** Draws a related entry over the page. Here, since it has fields. */
  readonly Panel: ComponentType<PanelProps>
  readonly unfinished: Unfinished
  /** Whether the person may write a field, and the layout does not only show it. */
  readonly mayWrite: (key: string) => boolean
  /** Whether the person may write a field with all that is in it, so that its parts may be taken away. */
  readonly mayReplace: (key: string) => boolean
  /** Whether a new part of a kind can be saved in a field: it may require what the person may not write. */
  readonly mayAdd: (key: string, uid: string) => boolean
  /** Whether the person may see a field, or write it. A new part has all fields. */
  readonly isShown: (key: string) => boolean
  readonly locale: string | undefined
  /** The entry in another language, whose values are shown beside the fields. */
  readonly beside: Beside | undefined
  /** The beginning of the ids of its elements: the entry of a panel has others than the page behind. */
  readonly prefix: string
  /** The dialog that has the entry, into which lists to choose from are drawn. `undefined` for the page. */
  readonly dialog: RefObject<HTMLDialogElement | null> | undefined
}

export const FormContext = createContext<EntryContext | undefined>(undefined)

export function useEntry(): EntryContext {
  const context = useContext(FormContext)
  if (!context) throw new Error('A field is part of an entry.')
  return context
}

/** A node in its present state. */
export function useNode(key: string): FormNode | undefined {
  const { form } = useEntry()
  return useSyncExternalStore(
    useCallback((call) => form.subscribe(key, call), [form, key]),
    () => form.find(key),
  )
}

/** The numbers of changes, errors and overlaps at a node and below. A key that changes none of them draws nothing anew. */
export function useSummary(key: string): Omit<Summary, 'version'> {
  const { form } = useEntry()
  const known = useRef<Summary>(undefined)
  return useSyncExternalStore(
    useCallback((call) => form.subscribeSummary(key, call), [form, key]),
    () => {
      const { current } = known
      const now = form.summary(key)
      const isSame =
        current?.changed === now.changed && current.errors === now.errors && current.overlaps === now.overlaps
      if (!current || !isSame) known.current = now
      return known.current ?? now
    },
  )
}

/** A text or a number that is made of a node and of what is below it. */
export function useMadeOf<T extends string | number>(key: string, make: () => T): T {
  const { form } = useEntry()
  return useSyncExternalStore(
    useCallback((call) => form.subscribeSummary(key, call), [form, key]),
    make,
  )
}

/** The way in which the layout shows a field. */
export function useLook(node: FieldNode): FieldLook {
  const { form } = useEntry()
  const { model } = useSession()
  return lookOfNode(form, model, node)
}

export function useOpen(key: string): boolean {
  const { open } = useEntry()
  return useSyncExternalStore(
    useCallback((call) => open.subscribe(key, call), [open, key]),
    () => open.has(key),
  )
}

/** The names of attributes in a key: `sections/page.text:12/text` is `sections.text`. */
export const pathOf = (key: string): string =>
  key
    .split('/')
    .filter((_, i) => i % 2 === 0)
    .join('.')

export const domId = ({ prefix }: Pick<EntryContext, 'prefix'>, key: string): string =>
  `${prefix}field-${key}`

const controls = 'input, textarea, select, button, [contenteditable="true"]'

/** Frames for which an element is waited for: ten seconds, as editors of texts are loaded when they are needed. */
const patience = 600

/** Calls `act` with the element of a field, once it is drawn, unless the person does something else before. */
function whenDrawn(id: string, act: (element: HTMLElement) => void): void {
  const ending = new AbortController()
  const { signal } = ending
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, () => ending.abort(), { capture: true, signal })
  const look = (frames: number) => {
    if (signal.aborted) return
    const element = document.getElementById(id)
    const isDrawn = element && (element.matches(controls) || element.querySelector(controls))
    if (!isDrawn && frames > 0) return void requestAnimationFrame(() => look(frames - 1))
    ending.abort()
    if (isDrawn) act(element)
  }
  requestAnimationFrame(() => look(patience))
}

export type Way = Pick<EntryContext, 'form' | 'open' | 'prefix'>

/** Opens what hides a field, and puts the cursor into it. */
export function leadTo(way: Way, key: string): void {
  const { form, open } = way
  for (const above of form.pathTo(key))
    if (form.find(above)?.kind === 'group' && above !== '') open.set(above, true)
  whenDrawn(domId(way, key), (element) => {
    element.scrollIntoView({ block: 'center' })
    const target = element.matches(controls) ? element : element.querySelector<HTMLElement>(controls)
    target?.focus({ preventScroll: true })
  })
}

/** The field of a new part in which writing begins; the part itself where the person may write none. */
export function firstIn({ form, mayWrite }: Pick<EntryContext, 'form' | 'mayWrite'>, part: string): string {
  const group = form.find(part)
  return (group?.kind === 'group' ? Object.values(group.fields).find(mayWrite) : undefined) ?? part
}
