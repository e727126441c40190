/** An entry of a localized content-type. */
export interface LocalizedEntry {
  readonly id: number
  readonly locale: string
  /** ISO text; the newest entry stays when a locale occurs twice. */
  readonly updatedAt: string
}

/** The links between the localizations of one content-type, each once. */
export interface LocalizationLinks {
  /** Pairs that are linked in both directions, in either order. */
  readonly mutual: Iterable<readonly [number, number]>
  /** Pairs that are linked from the first entry to the second only. */
  readonly oneWay: Iterable<readonly [number, number]>
}

/** Receives the groups. Entries without localizations are not reported. */
export interface GroupReceiver {
  /** @param key The key of the entry's group: the least id in it. */
  member(id: number, key: number): void
  /** An older entry in the locale of another one of its group: it stays outside the group. */
  doubled(id: number, other: number, locale: string): void
}

/**
 * Groups the localizations of one content-type, in about 25 bytes of memory per entry.
 *
 * Links in both directions make a group. A link in one direction only joins two groups where no locale would occur twice:
 * "Duplicate" in the admin panel copies the links of an entry, and following those would merge two documents.
 *
 * @param entries In the order of their ids.
 * @param count The number of entries.
 */
export function groupLocalizations(
  entries: Iterable<LocalizedEntry>,
  count: number,
  links: LocalizationLinks,
  receiver: GroupReceiver,
): void {
  const groups = new Groups(entries, count)
  for (const [a, b] of links.mutual) groups.join(a, b)
  for (const [a, b] of links.oneWay) if (groups.canJoin(a, b)) groups.join(a, b)
  groups.report(receiver)
}

/** Disjoint sets of entries. An entry is represented by its place in the order of ids. */
class Groups {
  readonly #ids: Int32Array
  /** Number of the locale, in `#localeNames`. */
  readonly #locales: Int32Array
  /** Milliseconds since 1970; 0 without a date. */
  readonly #times: Float64Array
  /** The place of another entry of the group; equal to the own place for the representative. */
  readonly #parents: Int32Array
  /** The place of the next entry of the group; the last one leads to the first. */
  readonly #next: Int32Array
  readonly #localeNames: string[] = []
  /** The locales of groups that {@link canJoin} was called with, by their representatives. */
  readonly #localesOf = new Map<number, Set<number>>()
  /** Pairs of groups with a common locale, as `a b`, which they never lose. */
  readonly #clashes = new Set<string>()

  constructor(entries: Iterable<LocalizedEntry>, count: number) {
    this.#ids = new Int32Array(count)
    this.#locales = new Int32Array(count)
    this.#times = new Float64Array(count)
    this.#parents = Int32Array.from({ length: count }, (_, i) => i)
    this.#next = this.#parents.slice()
    const numbers = new Map<string, number>()
    let place = 0
    for (const { id, locale, updatedAt } of entries) {
      const number = numbers.get(locale) ?? this.#localeNames.push(locale) - 1
      numbers.set(locale, number)
      this.#ids[place] = id
      this.#locales[place] = number
      this.#times[place] = Date.parse(updatedAt) || 0
      place++
    }
  }

  join(a: number, b: number): void {
    const [i, j] = [this.#placeOf(a), this.#placeOf(b)]
    if (i === undefined || j === undefined) return
    const [one, other] = [this.#representative(i), this.#representative(j)]
    if (one === other) return
    const [ofOne, ofOther] = [this.#localesOf.get(one), this.#localesOf.get(other)]
    // The group with more locales keeps its representative, and with it what is known of the group.
    const [left, right] = (ofOne?.size ?? 0) < (ofOther?.size ?? 0) ? [other, one] : [one, other]
    this.#parents[right] = left
    if (ofOne && ofOther) for (const locale of this.#localesIn(right)) this.#localesIn(left).add(locale)
    else this.#localesOf.delete(left)
    this.#localesOf.delete(right)
    // Two circular lists become one when the successors of one entry of each are exchanged.
    const next = this.#at(this.#next, i)
    this.#next[i] = this.#at(this.#next, j)
    this.#next[j] = next
  }

  /** Whether no locale occurs in both groups. */
  canJoin(a: number, b: number): boolean {
    const [i, j] = [this.#placeOf(a), this.#placeOf(b)]
    if (i === undefined || j === undefined) return false
    const [left, right] = [this.#representative(i), this.#representative(j)]
    const pair = left < right ? `${left} ${right}` : `${right} ${left}`
    if (left === right || this.#clashes.has(pair)) return false
    const [fewer, more] = [this.#localesIn(left), this.#localesIn(right)].sort((x, y) => x.size - y.size)
    const isFree = ![...(fewer ?? [])].some((locale) => more?.has(locale))
    if (!isFree) this.#clashes.add(pair)
    return isFree
  }

  /** The locales of a group, read from its members once. */
  #localesIn(representative: number): Set<number> {
    const known = this.#localesOf.get(representative)
    if (known) return known
    const locales = new Set(this.#members(representative).map((place) => this.#at(this.#locales, place)))
    this.#localesOf.set(representative, locales)
    return locales
  }

  report(receiver: GroupReceiver): void {
    for (let place = 0; place < this.#ids.length; place++) {
      if (this.#parents[place] !== place || this.#next[place] === place) continue
      const byLocale = new Map<number, number>()
      for (const member of this.#newestFirst(place)) {
        const locale = this.#at(this.#locales, member)
        const other = byLocale.get(locale)
        if (other === undefined) byLocale.set(locale, member)
        else
          receiver.doubled(
            this.#at(this.#ids, member),
            this.#at(this.#ids, other),
            this.#localeNames[locale] ?? '',
          )
      }
      const ids = [...byLocale.values()].map((member) => this.#at(this.#ids, member))
      const key = Math.min(...ids)
      if (ids.length > 1) for (const id of ids) receiver.member(id, key)
    }
  }

  #newestFirst(place: number): number[] {
    return this.#members(place).sort(
      (a, b) => this.#at(this.#times, b) - this.#at(this.#times, a) || a - b, // places are in the order of ids
    )
  }

  #members(place: number): number[] {
    const members = [place]
    for (let at = this.#at(this.#next, place); at !== place; at = this.#at(this.#next, at)) members.push(at)
    return members
  }

  #representative(place: number): number {
    let at = place
    while (this.#parents[at] !== at) {
      const parent = this.#at(this.#parents, at)
      // Shortens the path for the next search.
      this.#parents[at] = this.#at(this.#parents, parent)
      at = parent
    }
    return at
  }

  #placeOf(id: number): number | undefined {
    let low = 0
    let high = this.#ids.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = this.#at(this.#ids, middle)
      if (found === id) return middle
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }

  #at(list: Int32Array | Float64Array, place: number): number {
    const value = list[place]
    if (value === undefined) throw new RangeError(`There is no entry at ${place}.`)
    return value
  }
}
