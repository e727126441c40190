/** Undo and redo. */
import type { FieldNode } from './nodes.ts'
import { sameIds, sameJson, sameScalar } from './same.ts'
import type { Linked, ScalarValue } from './value.ts'

/** The content of a field that an edit changes: its value, its linked entries, or the keys of its components. */
export type Content =
  | ScalarValue
  | { readonly kind: 'relation'; readonly items: readonly Linked[] }
  | { readonly kind: 'components'; readonly items: readonly string[] }

export interface Patch {
  readonly key: string
  readonly before: Content
  readonly after: Content
}

interface Step {
  readonly patches: readonly Patch[]
  /** Whether it was typed, so that further typing in the same field joins it. */
  readonly typing: boolean
  /** Milliseconds, of the first and the last edit. */
  readonly began: number
  readonly ended: number
}

/** Typing in one field joins a step while its pauses are shorter, in milliseconds. */
const pause = 1_000
/** The longest step of typing, in milliseconds: more would undo too much at once. */
const longest = 5_000

export class History {
  readonly #now: () => number
  #done: readonly Step[] = []
  #undone: readonly Step[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  get canUndo(): boolean {
    return this.#done.length > 0
  }

  get canRedo(): boolean {
    return this.#undone.length > 0
  }

  /** @param follows The key of the field whose edit this one follows: it joins the step of that edit, typed or not. Default: none. */
  add(patches: readonly Patch[], typing: boolean, follows?: string): void {
    if (patches.length === 0) return
    const now = this.#now()
    const last = this.#done.at(-1)
    const joined =
      last && (typing || follows !== undefined) ? joinedWith(last, patches, now, follows) : undefined
    this.#done = joined
      ? [...this.#done.slice(0, -1), joined]
      : [...this.#done, { patches, typing, began: now, ended: now }]
    this.#undone = []
  }

  /** The patches of the last step, the last one first. */
  undo(): readonly Patch[] {
    const last = this.#done.at(-1)
    if (!last) return []
    this.#done = this.#done.slice(0, -1)
    this.#undone = [...this.#undone, last]
    return last.patches.map(({ key, before, after }) => ({ key, before: after, after: before })).reverse()
  }

  redo(): readonly Patch[] {
    const last = this.#undone.at(-1)
    if (!last) return []
    this.#undone = this.#undone.slice(0, -1)
    this.#done = [...this.#done, { ...last, typing: false }]
    return last.patches
  }

  /** Ends a step of typing, as a save does. */
  close(): void {
    const last = this.#done.at(-1)
    if (last?.typing) this.#done = [...this.#done.slice(0, -1), { ...last, typing: false }]
  }
}

function joinedWith(
  last: Step,
  patches: readonly Patch[],
  now: number,
  follows: string | undefined,
): Step | undefined {
  const [one, next] = [last.patches[0], patches[0]]
  if (patches.length !== 1 || !one || !next || now - last.ended >= pause) return undefined
  const joins =
    follows === undefined
      ? last.typing && one.key === next.key && now - last.began < longest
      : last.patches.some(({ key }) => key === follows)
  if (!joins) return undefined
  const isKnown = last.patches.some(({ key }) => key === next.key)
  const joined = isKnown
    ? last.patches.map((patch) => (patch.key === next.key ? { ...patch, after: next.after } : patch))
    : [...last.patches, next]
  return { ...last, patches: joined, ended: now }
}

/** Whether two contents, or a field and a content, are the same. */
export function sameContent(one: Content | FieldNode, other: Content): boolean {
  if (one.kind === 'scalar' && other.kind === 'scalar') return sameScalar(one, other)
  if (one.kind === 'relation' && other.kind === 'relation') return sameIds(one.items, other.items)
  return one.kind === 'components' && other.kind === 'components' && sameJson(one.items, other.items)
}
