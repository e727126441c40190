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

/**
 * Connections whose places are beside each other, as the ids of one place in their order. Written one after the other, the places have the same
 * result as the connections.
 */
export function placedTogether<T extends Placed>(
  connect: readonly T[],
): readonly { readonly ids: readonly number[]; readonly at: T['position'] }[] {
  const runs: { readonly ids: number[]; readonly at: T['position'] }[] = []
  for (const { id, position } of connect) {
    const last = runs.at(-1)
    const index = last && indexIn(last, id, position)
    if (last === undefined || index === undefined) runs.push({ ids: [id], at: position })
    else last.ids.splice(index, 0, id)
  }
  return runs
}

/** The index of an entry among those of a place; `undefined` when it goes elsewhere. */
function indexIn(
  { ids, at }: { readonly ids: readonly number[]; readonly at: Placed['position'] },
  id: number,
  position: Placed['position'],
): number | undefined {
  if (position.id === undefined) {
    if (position.kind !== at.kind) return undefined
    return position.kind === 'start' ? 0 : ids.length
  }
  // The neighbour of the place stays in the list until the others are placed.
  const index = at.id === id ? -1 : ids.lastIndexOf(position.id)
  if (index < 0) return undefined
  return position.kind === 'after' ? index + 1 : index
}
