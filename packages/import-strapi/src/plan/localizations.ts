/** An entry of a localized type. */
export interface LocalizedEntry {
  readonly id: number
  readonly locale: string
  /** ISO text; the newest stays when a locale occurs twice. */
  readonly updatedAt: string
}

export interface Groups {
  /** The key of an entry's group: the least id in it. Entries that are alone are missing. */
  readonly keys: ReadonlyMap<number, number>
  /** Entries that would have the locale of another one of their group, with that one; each stays by itself. */
  readonly doubled: readonly { readonly id: number; readonly other: number; readonly locale: string }[]
}

/**
 * Groups the localizations of one content-type.
 *
 * Links in both directions make a group. A link in one direction only joins two groups where no locale would occur twice:
 * "Duplicate" in the admin panel copies the links of an entry, and following those would melt two documents into one.
 *
 * @param pairs The links, each as often as it is there.
 */
export function groupLocalizations(
  entries: readonly LocalizedEntry[],
  pairs: Iterable<readonly [number, number]>,
): Groups {
  const entryOf = new Map(entries.map((entry) => [entry.id, entry]))
  const linked = new Set<string>()
  for (const [a, b] of pairs) if (a !== b && entryOf.has(a) && entryOf.has(b)) linked.add(`${a} ${b}`)
  const members = new Map<number, LocalizedEntry[]>()
  const group = (id: number): LocalizedEntry[] => {
    const known = members.get(id)
    if (known) return known
    const entry = entryOf.get(id)
    const made = entry ? [entry] : []
    members.set(id, made)
    return made
  }
  const join = (a: LocalizedEntry[], b: LocalizedEntry[]): void => {
    if (a === b) return
    a.push(...b)
    for (const { id } of b) members.set(id, a)
  }
  const oneWay: [number, number][] = []
  for (const pair of linked) {
    const [a = 0, b = 0] = pair.split(' ').map(Number)
    if (linked.has(`${b} ${a}`)) join(group(a), group(b))
    else oneWay.push([a, b])
  }
  for (const [a, b] of oneWay) {
    const [left, right] = [group(a), group(b)]
    const locales = new Set(left.map(({ locale }) => locale))
    if (right.every(({ locale }) => !locales.has(locale))) join(left, right)
  }
  return resolveDoubled(new Set(members.values()))
}

function resolveDoubled(groups: Iterable<LocalizedEntry[]>): Groups {
  const keys = new Map<number, number>()
  const doubled: { id: number; other: number; locale: string }[] = []
  for (const members of groups) {
    const byLocale = new Map<string, LocalizedEntry>()
    const newestFirst = [...members].sort((a, b) =>
      a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id - b.id,
    )
    for (const entry of newestFirst) {
      const other = byLocale.get(entry.locale)
      if (other) doubled.push({ id: entry.id, other: other.id, locale: entry.locale })
      else byLocale.set(entry.locale, entry)
    }
    const stay = [...byLocale.values()]
    const key = stay.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY)
    if (stay.length > 1) for (const { id } of stay) keys.set(id, key)
  }
  return { keys, doubled }
}
