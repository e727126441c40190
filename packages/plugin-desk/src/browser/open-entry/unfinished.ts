import { useEffect, useSyncExternalStore } from 'react'

/**
 * The fields of an entry whose input of a date or a time is filled in only in part. Browsers do not tell what such an input has, so neither the form nor the copy
 * on the device has it. Therefore the entry cannot be saved, the page asks before the person leaves it, and a closed part with such a field stays in the page, hidden.
 */
export class Unfinished {
  /** An error message for each field, by the key of the field. The label of the field is put before the message, as in "Walked is not complete yet." */
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

  /** Whether a part, or a part within it, has such a field. */
  isWithin(part: string): boolean {
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

/** Whether the entry has such a field. */
export const useIsUnfinished = (unfinished: Unfinished): boolean =>
  useSyncExternalStore(unfinished.subscribe, () => unfinished.all.length > 0)

/** Forgets a field when its input leaves the page, for example because its part is removed. */
export function useForgetOnUnmount(unfinished: Unfinished, key: string): void {
  useEffect(() => () => unfinished.delete(key), [unfinished, key])
}
