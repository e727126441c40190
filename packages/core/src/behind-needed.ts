/**
 * The items in their order, except that an item follows the one that it needs, where that one is among them. In a circle, the first one
 * follows all others.
 *
 * @param neededBy The item that another one needs, which must be one of `items`.
 */
export function behindNeeded<T extends object>(
  items: readonly T[],
  neededBy: (item: T) => T | undefined,
): readonly T[] {
  const placed = new Set<T>()
  return items.flatMap((item) => {
    const chain: T[] = []
    for (let one: T | undefined = item; one && !placed.has(one); one = neededBy(one)) {
      placed.add(one)
      chain.push(one)
    }
    return chain.reverse()
  })
}
