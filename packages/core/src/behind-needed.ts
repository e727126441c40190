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

/** An entry that is connected to a list, and where. */
interface Placed {
  readonly id: number
  readonly position: { readonly kind: string; readonly id?: number }
}

/** Connections in the order of a list that has none of their neighbours yet: an entry follows the one that it is placed beside. */
export function behindNeighbours<T extends Placed>(connect: readonly T[]): readonly T[] {
  const byId = new Map(connect.map((one) => [one.id, one]))
  return behindNeeded(connect, ({ position: { id } }) => (id === undefined ? undefined : byId.get(id)))
}

/** The ids of neighbours that the same list connects later than the entry beside them. */
export function laterNeighbours(connect: readonly Placed[]): readonly number[] {
  const places = new Map(connect.map(({ id }, i) => [id, i]))
  return connect.flatMap(({ position: { id } }, i) =>
    id !== undefined && (places.get(id) ?? i) > i ? id : [],
  )
}
