/** The order and the places of the entries that a body connects to a list. */
import { behindNeeded } from './behind-needed.ts'

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

const atEnd = { kind: 'end' } as const

/** A connection, and the place of the list that it belongs to. */
export interface Placement<Position> {
  readonly id: number
  /** The position of the entry that is placed, or of the entry beside which it is placed. */
  readonly at: Position
  /** The number of the place, of those of one list. */
  readonly turn: number
}

/**
 * The connections of a list by place: those of a place beside each other, in their order. An entry beside one that is connected before it belongs to the place of
 * that one; further entries beside a stored one are places of their own.
 */
export function placements<T extends Placed>(
  connect: readonly T[],
): readonly Placement<T['position'] | typeof atEnd>[] {
  const [before, after] = [new Map<number, number[]>(), new Map<number, number[]>()]
  const places: T[] = []
  for (const one of connect) {
    const { id, position } = one
    const beside =
      position.id === undefined ? undefined : (position.kind === 'before' ? before : after).get(position.id)
    if (beside) beside.push(id)
    else places.push(one)
    before.set(id, [])
    after.set(id, [])
  }
  return places.flatMap(({ id, position }, turn) => {
    // No entry is beside itself.
    const at = position.id === id ? atEnd : position
    return inOrder(id, before, after).map((one) => ({ id: one, at, turn }))
  })
}

/** An entry and all that are placed beside it, from first to last. Of two before it the later one is nearer, and so is the later of two after it. */
function inOrder(
  id: number,
  before: ReadonlyMap<number, readonly number[]>,
  after: ReadonlyMap<number, readonly number[]>,
): readonly number[] {
  const result: number[] = []
  const rest = [{ id, isAlone: false }]
  for (let one = rest.pop(); one; one = rest.pop()) {
    if (one.isAlone) result.push(one.id)
    else {
      for (const next of after.get(one.id) ?? []) rest.push({ id: next, isAlone: false })
      rest.push({ id: one.id, isAlone: true })
      for (const former of before.get(one.id)?.toReversed() ?? []) rest.push({ id: former, isAlone: false })
    }
  }
  return result
}
