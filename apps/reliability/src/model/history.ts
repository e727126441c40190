/**
 * Histories of operations, and the anomalies in them, in the spirit of Jepsen's list-append and bank tests. Each operation has
 * the time of its request and that of its answer; of two operations that overlap, either may have happened first.
 */

export interface Span {
  /** Milliseconds. */
  readonly start: number
  /** Milliseconds; infinite: the connection broke, so the operation may happen at any time, or never. */
  readonly end: number
}

/** A value appended to a list. Refused operations have no place in a history: their effect is an anomaly. */
export interface Append extends Span {
  readonly list: number
  readonly value: number
}

export interface ListRead extends Span {
  readonly list: number
  readonly values: readonly number[]
}

/** An item put into a box by its creation or by a move; `undefined`: deleted. */
export interface Put extends Span {
  readonly item: number
  readonly box: number | undefined
}

/** All boxes with their items, read at once. */
export interface BoxesRead extends Span {
  readonly boxes: ReadonlyMap<number, readonly number[]>
}

export interface History {
  readonly appends: readonly Append[]
  readonly listReads: readonly ListRead[]
  readonly puts: readonly Put[]
  readonly boxReads: readonly BoxesRead[]
  /** Creations of items whose connection broke, so that their ids are unknown. */
  readonly unknownItems: number
}

/** Every anomaly as a sentence. */
export const anomalies = (history: History): readonly string[] => [
  ...listAnomalies(history),
  ...boxAnomalies(history),
]

/** An acknowledged append stays, nothing appears by itself or twice, and all reads agree on one order. */
function listAnomalies({ appends, listReads }: History): readonly string[] {
  const found: string[] = []
  const reads = listReads.toSorted((one, other) => one.values.length - other.values.length)
  const before = new Map<number, ListRead>()
  for (const read of reads) {
    const where = `list ${read.list}`
    const values = new Set(read.values)
    if (values.size < read.values.length) found.push(`${where}: a value is there twice: ${read.values}`)
    for (const { list, value, start, end } of appends) {
      if (list !== read.list) continue
      if (end < read.start && !values.has(value)) found.push(`${where}: the append of ${value} was lost`)
      if (start > read.end && values.has(value)) found.push(`${where}: ${value} was read before its append`)
    }
    const known = new Set(appends.filter(({ list }) => list === read.list).map(({ value }) => value))
    for (const value of values) if (!known.has(value)) found.push(`${where}: nobody appended ${value}`)

    // Sorted by length: each read continues the shorter one before it.
    const shorter = before.get(read.list)
    if (shorter?.values.some((value, i) => read.values[i] !== value))
      found.push(`${where}: two reads disagree: ${shorter.values} and ${read.values}`)
    if (shorter && shorter.values.length < read.values.length && read.end < shorter.start)
      found.push(`${where}: a later read is shorter`)
    before.set(read.list, read)
  }
  return found
}

/** Every read has each item in one box at most, and in one that an operation that is not outdated put it into. */
function boxAnomalies({ puts, boxReads, unknownItems }: History): readonly string[] {
  const found: string[] = []
  const strangers = new Set<number>()
  const putsOf = Map.groupBy(puts, ({ item }) => item)
  for (const read of boxReads) {
    const places = new Map<number, number>()
    for (const [box, items] of read.boxes)
      for (const item of items) {
        if (places.has(item)) found.push(`item ${item} is in the boxes ${places.get(item)} and ${box}`)
        places.set(item, box)
      }
    for (const item of places.keys()) if (!putsOf.has(item)) strangers.add(item)
    for (const [item, all] of putsOf) {
      const box = places.get(item)
      if (!explains(all, box, read))
        found.push(
          box === undefined
            ? `item ${item} was lost`
            : `item ${item} is in box ${box}: a later move was lost`,
        )
    }
  }
  if (strangers.size > unknownItems) found.push(`nobody created the items ${[...strangers]}`)
  return found
}

/** Whether a read may find an item in a box: an operation put it there, and no other one certainly came in between. */
function explains(puts: readonly Put[], box: number | undefined, read: Span): boolean {
  const isOutdated = (put: Span): boolean =>
    puts.some((later) => put.end < later.start && later.end < read.start)
  // Before its creation an item is in no box.
  const untouched = box === undefined && !puts.some(({ end }) => end < read.start)
  return untouched || puts.some((put) => put.box === box && put.start < read.end && !isOutdated(put))
}
