import { useEffect, useSyncExternalStore } from 'react'

/**
 * What is typed in fields of an entry and is no value yet, such as JSON that is not complete, or half a date. Only the input of the field has it: the entry is not
 * saved, the page asks before it is left, and the part of the field stays in the page.
 */
export class Unfinished {
  /** What is wrong, as the end of a sentence, by the key of the field. */
  readonly #words = new Map<string, string>()
  readonly #listeners = new Set<() => void>()

  set(key: string, words: string): void {
    this.#words.set(key, words)
    this.#tell()
  }

  delete(key: string): void {
    if (this.#words.delete(key)) this.#tell()
  }

  get all(): readonly { readonly key: string; readonly message: string }[] {
    return [...this.#words].map(([key, message]) => ({ key, message }))
  }

  /** Whether a part has one in any of its fields. */
  isBelow(part: string): boolean {
    return [...this.#words.keys()].some((key) => key.startsWith(`${part}/`))
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Whether any field has what is no value yet. */
export const useIsUnfinished = (unfinished: Unfinished): boolean =>
  useSyncExternalStore(unfinished.subscribe, () => unfinished.all.length > 0)

/** What an input has goes with it, as with a part that is removed. */
export function useGoesWith(unfinished: Unfinished, key: string): void {
  useEffect(() => () => unfinished.delete(key), [unfinished, key])
}
