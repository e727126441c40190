/** The attributes that a registry omits or simplifies. One message per kind, whatever its number of occurrences. */
export class Omissions {
  readonly #absent = new Map<string, string[]>()
  readonly #simplified = new Map<string, string[]>()
  readonly #single: string[] = []
  readonly #plugins: Readonly<Record<string, string>>

  constructor(plugins: Readonly<Record<string, string>>) {
    this.#plugins = plugins
  }

  absent(type: string, place: string): void {
    append(this.#absent, type, place)
  }

  simplified(field: string, type: string, place: string): void {
    append(this.#simplified, `the custom field ${field} is treated as ${type}`, place)
  }

  dangling(place: string, missing: string): void {
    this.#single.push(
      `the relation ${place} is left out, since its other side is missing: mappedBy: ${missing}`,
    )
  }

  administrative(place: string, target: string): void {
    this.#single.push(
      `the relation ${place} is left out, since it leads to ${target}, and people of the administration are no entries here`,
    )
  }

  emptyZone(place: string): void {
    this.#single.push(`the dynamic zone ${place} is left out, since it lists no component`)
  }

  crowded(place: string, other: string, winner: string): void {
    this.#single.push(
      `the relation ${place} is one-way: it has "inversedBy", but ${other} leads back to ${winner}. Remove "inversedBy", or name another attribute there`,
    )
  }

  sentences(): readonly string[] {
    return Object.freeze([
      ...[...this.#absent].map(
        ([type, places]) =>
          `${counted(places)} of type ${type} ${places.length === 1 ? 'is' : 'are'} left out, since ${this.#plugins[type]} is not present: ${listed(places)}`,
      ),
      ...this.#single,
      ...[...this.#simplified].map(([what, places]) => `${what} in ${counted(places)}: ${listed(places)}`),
    ])
  }
}

const append = (map: Map<string, string[]>, key: string, place: string): void =>
  void map.set(key, [...(map.get(key) ?? []), place])
const counted = (places: readonly string[]): string =>
  `${places.length} attribute${places.length === 1 ? '' : 's'}`
/** A log line stays readable. */
const listed = (places: readonly string[]): string =>
  places.length > 20 ? `${places.slice(0, 20).join(', ')}, …` : places.join(', ')
