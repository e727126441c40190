/** The definitions of extension modules, for the pages. */
import { useSyncExternalStore } from 'react'
import type {
  ActionExtension,
  CellExtension,
  FieldExtension,
  PageExtension,
  PanelExtension,
  Words,
} from '../../extension.ts'

/** A definition with the name of its module. */
export type Defined<T> = T & { readonly module: string }

export interface Extensions {
  readonly fields: readonly Defined<FieldExtension>[]
  readonly cells: readonly Defined<CellExtension>[]
  readonly panels: readonly Defined<PanelExtension>[]
  readonly actions: readonly Defined<ActionExtension>[]
  readonly pages: readonly Defined<PageExtension>[]
  /** Modules that were left out. */
  readonly problems: readonly { readonly module: string; readonly reason: string }[]
}

let present: Extensions = { fields: [], cells: [], panels: [], actions: [], pages: [], problems: [] }
const listeners = new Set<() => void>()

/** Adds what a module has defined. The problem that was noted while it was awaited is removed. */
export function publish(module: string, more: Partial<Extensions>): void {
  present = {
    fields: [...present.fields, ...(more.fields ?? [])],
    cells: [...present.cells, ...(more.cells ?? [])],
    panels: [...present.panels, ...(more.panels ?? [])],
    actions: [...present.actions, ...(more.actions ?? [])],
    pages: firstOfEach([...present.pages, ...(more.pages ?? [])]),
    problems: [...present.problems.filter((one) => one.module !== module), ...(more.problems ?? [])],
  }
  for (const listener of listeners) listener()
}

/** A page has its address by its name. */
const firstOfEach = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] =>
  all.filter(({ name }, i) => all.findIndex((one) => one.name === name) === i)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useExtensions = (): Extensions => useSyncExternalStore(subscribe, () => present)

interface Attribute {
  readonly type: string
  readonly [option: string]: unknown
}

/** The first definition for an attribute, by the name of its custom field or else by its type. */
export function extensionFor<T extends { readonly for: string | readonly string[] }>(
  all: readonly T[],
  { type, customField }: Attribute,
): T | undefined {
  const has = (one: T, name: unknown) => [one.for].flat().includes(name as string)
  return all.find((one) => has(one, customField)) ?? all.find((one) => has(one, type))
}

/** The cells of an attribute, outside of components that could wait for a late module. */
export const cellFor = (attribute: Attribute): Defined<CellExtension> | undefined =>
  extensionFor(present.cells, attribute)

/** Definitions for entries of a content-type. */
export const ofType = <T extends { readonly types?: readonly string[] }>(
  all: readonly T[],
  uid: string,
): readonly T[] => all.filter(({ types }) => types === undefined || types.includes(uid))

/** Whether a value is a text, or texts by language: anything else could not be drawn. */
export const isWords = (value: unknown): value is Words =>
  typeof value === 'string' ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).length > 0 &&
    Object.values(value).every((one) => typeof one === 'string'))

/** Words in the language of the pages, or else in the first one that there is. */
export const inLanguage = (words: Words, language: string): string =>
  typeof words === 'string' ? words : (words[language] ?? Object.values(words)[0] ?? '')
