/** A property by which a list is narrowed. */
export interface Facet<T> {
  readonly name: string
  readonly valuesOf: (item: T) => readonly string[]
}

export interface FacetValue {
  readonly value: string
  readonly count: number
  readonly isChosen: boolean
}

/** The items that have every chosen value. */
export const narrowed = <T>(
  items: readonly T[],
  facets: readonly Facet<T>[],
  chosen: URLSearchParams,
): readonly T[] =>
  items.filter((item) =>
    facets.every(({ name, valuesOf }) => {
      const value = chosen.get(name)
      return value === null || valuesOf(item).includes(value)
    }),
  )

/** The values of a facet with their counts in the list that the other facets leave, the most frequent first. */
export function valuesOf<T>(
  facet: Facet<T>,
  items: readonly T[],
  facets: readonly Facet<T>[],
  chosen: URLSearchParams,
): readonly FacetValue[] {
  const counts = new Map<string, number>()
  const others = facets.filter((other) => other !== facet)
  for (const item of narrowed(items, others, chosen))
    for (const value of facet.valuesOf(item)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count, isChosen: chosen.get(facet.name) === value }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}
