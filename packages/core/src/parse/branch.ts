import { problem } from '../error/problems.ts'
import { child } from './path.ts'
import type { ParamPath, RawValue } from './raw.ts'
import { isIndex, type RawObject } from './value.ts'

/**
 * Collects the values of a nested parameter: the values of this place and of the keys below it. Parameters may come in
 * any order and mix all forms; every value is included.
 *
 *     a=1                → '1'
 *     a=1&a=2            → ['1', '2']          also a[]=1&a[]=2 and a[1]=2&a[0]=1
 *     a[]=1, a[7]=1      → ['1']
 *     a[b][c]=1          → { b: { c: '1' } }
 *     a[][b]=1&a[][c]=2  → [{ b: '1', c: '2' }]  as qs reads it; a[0][b]=1&a[1][c]=2 is two
 *     a=1&a[b]=2         → ['1', { b: '2' }]
 *     a[0]=1&a[b]=2      → { 0: '1', b: '2' }
 */
export class Branch {
  readonly #texts: string[] = []
  readonly #inside = new Map<string, Branch>()
  /** Whether `[]` was used, which makes a single value a list. */
  #isList = false

  /** @param keys The keys in the brackets, outermost first. */
  add(keys: readonly string[], value: string): void {
    let branch: Branch = this
    for (const [i, key] of keys.entries()) {
      if (key !== '') branch = branch.#open(key)
      else if (i < keys.length - 1) branch = branch.#open('0')
      else branch.#isList = true
    }
    branch.#texts.push(value)
  }

  #open(key: string): Branch {
    let branch = this.#inside.get(key)
    if (!branch) {
      branch = new Branch()
      this.#inside.set(key, branch)
    }
    return branch
  }

  /**
   * Elements are renumbered from 0: a list has no holes.
   * @throws ValidationError `query/list-too-long`
   */
  value(at: ParamPath, listLength: number): RawValue {
    const texts = this.#texts
    const [text] = texts
    if (this.#inside.size === 0 && texts.length === 1 && text !== undefined)
      return this.#isList ? [text] : text

    const indexes = [...this.#inside.keys()].filter(isIndex).sort((a, b) => Number(a) - Number(b))
    if (texts.length + indexes.length > listLength)
      throw problem('query/list-too-long', { at, limit: listLength })
    const items = indexes.map((index) => this.#open(index).value(child(at, index), listLength))
    if (indexes.length === this.#inside.size) return [...texts, ...items]

    const object: Record<string, RawValue> = Object.assign(Object.create(null), items)
    for (const [key, branch] of this.#inside) {
      if (!isIndex(key)) object[key] = branch.value(child(at, key), listLength)
    }
    return texts.length === 0 ? (object satisfies RawObject) : [...texts, object]
  }
}
