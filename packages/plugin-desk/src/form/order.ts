/** Orders of lists: the longest part that can stay, and the merge of two changed orders. */

/** The longest subsequence of `items` whose `place` increases. */
export function longestRun<T>(items: readonly T[], place: (item: T) => number): readonly T[] {
  /** `tails[n]`: index of the item with the least place that ends a run of n + 1 items. */
  const tails: number[] = []
  const previous: number[] = []
  const placeAt = (i: number): number => {
    const item = items[i]
    return item === undefined ? 0 : place(item)
  }
  for (let i = 0; i < items.length; i += 1) {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (placeAt(tails[middle] ?? 0) < placeAt(i)) low = middle + 1
      else high = middle
    }
    previous.push(tails[low - 1] ?? -1)
    tails[low] = i
  }
  const run: T[] = []
  for (let i = tails.at(-1) ?? -1; i >= 0; i = previous[i] ?? -1) {
    const item = items[i]
    if (item !== undefined) run.unshift(item)
  }
  return run
}

export interface MergedOrder {
  readonly order: readonly string[]
  /** Both sides have moved items, and not to the same places; the order is that of `mine`. */
  readonly conflict: boolean
}

const sameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, i) => item === other[i])

/**
 * Merges two changes of one list of distinct items: an item that either side has removed is removed, new items stay behind the item that
 * they were inserted behind, and of two orders the changed one holds. New items of both sides at one place are in the order of their
 * names, so that the result does not depend on the side.
 *
 * @param keep Items of `base` that stay although a side has removed them.
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  keep: ReadonlySet<string> = new Set(),
): MergedOrder {
  const [inBase, inMine, inTheirs] = [new Set(base), new Set(mine), new Set(theirs)]
  const spineOf = (list: readonly string[]): readonly string[] =>
    list.filter((item) => inBase.has(item) && inMine.has(item) && inTheirs.has(item))
  const [spineBase, spineMine, spineTheirs] = [spineOf(base), spineOf(mine), spineOf(theirs)]
  const spine = sameOrder(spineMine, spineBase) ? spineTheirs : spineMine
  const conflict =
    spine === spineMine && !sameOrder(spineTheirs, spineBase) && !sameOrder(spineMine, spineTheirs)
  const onSpine = new Set(spine)
  const isAdded = (item: string): boolean => !inBase.has(item) || (keep.has(item) && !onSpine.has(item))
  const runsOf = (list: readonly string[]): Map<string, string[]> => {
    const runs = new Map<string, string[]>()
    let anchor = ''
    for (const item of list) {
      if (onSpine.has(item)) anchor = item
      else if (isAdded(item)) {
        const run = runs.get(anchor)
        if (run) run.push(item)
        else runs.set(anchor, [item])
      }
    }
    return runs
  }
  const [ofMine, ofTheirs] = [runsOf(mine), runsOf(theirs)]
  const order: string[] = []
  const seen = new Set<string>()
  for (const anchor of ['', ...spine]) {
    if (anchor !== '') order.push(anchor)
    for (const item of mergeRuns(ofMine.get(anchor) ?? [], ofTheirs.get(anchor) ?? [])) {
      // An item that both sides have added at two places is at the first one.
      if (seen.has(item)) continue
      seen.add(item)
      order.push(item)
    }
  }
  return { order, conflict }
}

/** Joins the new items of two sides at one place; items that both have added divide the runs. */
function mergeRuns(one: readonly string[], other: readonly string[]): readonly string[] {
  const [inOne, inOther] = [new Set(one), new Set(other)]
  const shared = one.filter((item) => inOther.has(item))
  const sharedByOther = other.filter((item) => inOne.has(item))
  if (sameOrder(shared, sharedByOther)) return mergeDivided(shared, one, other)
  const [least = ''] = shared.toSorted()
  const [i, j] = [one.indexOf(least), other.indexOf(least)]
  return [
    ...mergeRuns(one.slice(0, i), other.slice(0, j)),
    least,
    ...mergeRuns(one.slice(i + 1), other.slice(j + 1)),
  ]
}

/** Joins two runs that have their shared items in one order. There may be thousands, as of a relation that was taken over from another language. */
function mergeDivided(
  shared: readonly string[],
  one: readonly string[],
  other: readonly string[],
): readonly string[] {
  const parts: (readonly string[])[] = []
  let [i, j] = [0, 0]
  for (const item of shared) {
    const [k, l] = [one.indexOf(item, i), other.indexOf(item, j)]
    parts.push(joined(one.slice(i, k), other.slice(j, l)), [item])
    i = k + 1
    j = l + 1
  }
  return [...parts.flat(), ...joined(one.slice(i), other.slice(j))]
}

function joined(one: readonly string[], other: readonly string[]): readonly string[] {
  const [a, b] = [one[0], other[0]]
  if (a === undefined || b === undefined) return [...one, ...other]
  return a < b ? [...one, ...other] : [...other, ...one]
}
