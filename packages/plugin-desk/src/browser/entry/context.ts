import { type ComponentType, createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type { FieldNode, Form, FormNode, Summary } from '../../form/index.ts'
import type { FieldLook } from '../layout.ts'
import type { ContentType } from '../model.ts'
import { useSession } from '../session.tsx'
import { lookOfNode } from './labels.ts'

/** The parts of zones that are open, by key. */
export class OpenParts {
  readonly #open = new Set<string>()
  readonly #listeners = new Set<() => void>()

  has(key: string): boolean {
    return this.#open.has(key)
  }

  set(key: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(key)
    else this.#open.delete(key)
    for (const listener of this.#listeners) listener()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

/** The form of an entry, for its fields. */
export interface EntryContext {
  readonly form: Form
  readonly type: ContentType
  readonly open: OpenParts
  /** Draws a field by its key. Here, since components have fields, which may be components. */
  readonly Field: ComponentType<{ readonly fieldKey: string }>
  /** Texts that are no values yet, such as unfinished JSON, by the key of the field: a save is refused. */
  readonly unfinished: Map<string, string>
  /** Whether the person may write a field, and the layout does not only show it. */
  readonly mayWrite: (key: string) => boolean
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

export function useSummary(key: string): Summary {
  const { form } = useEntry()
  return useSyncExternalStore(
    useCallback((call) => form.subscribeSummary(key, call), [form, key]),
    () => form.summary(key),
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
  return useSyncExternalStore(open.subscribe, () => open.has(key))
}

/** The names of attributes in a key: `sections/page.text:12/text` is `sections.text`. */
export const pathOf = (key: string): string =>
  key
    .split('/')
    .filter((_, i) => i % 2 === 0)
    .join('.')

export const domId = (key: string): string => `field-${key}`

/** Opens what hides a field, and puts the cursor into it. */
export function leadTo({ form, open }: Pick<EntryContext, 'form' | 'open'>, key: string): void {
  for (const above of form.pathTo(key))
    if (form.find(above)?.kind === 'group' && above !== '') open.set(above, true)
  requestAnimationFrame(() => {
    const element = document.getElementById(domId(key))
    element?.scrollIntoView({ block: 'center' })
    const target = element?.matches('input, textarea, select, button')
      ? element
      : element?.querySelector<HTMLElement>('input, textarea, select, button')
    target?.focus({ preventScroll: true })
  })
}
