/** The entries and attributes that a selection reads, as the query string of REST. */
import type { Model } from '@octavo/core/plugin'
import type { Parameter } from './arguments.ts'

/** A list of entries or components, or one: the values and relations that are read of each. */
export class Place {
  readonly model: Model
  readonly fields = new Set<string>()
  readonly children = new Map<string, ChildPlace>()

  constructor(model: Model) {
    this.model = model
  }
}

/** A copy without the values that the caller may not read. @param seen The names of those that it may; `undefined`: all. */
export function pruned(place: Place, seen: (model: Model) => ReadonlySet<string> | undefined): Place {
  const copy = new Place(place.model)
  const names = seen(place.model)
  for (const field of place.fields) if (!names || names.has(field)) copy.fields.add(field)
  for (const [id, child] of place.children) {
    const zone = child.zone && new Map([...child.zone].map(([uid, part]) => [uid, pruned(part, seen)]))
    copy.children.set(id, { ...child, place: pruned(child.place, seen), zone })
  }
  return copy
}

export interface ChildPlace {
  /** The name of the place in the answer: that of the attribute, unless another selection with other arguments has it. */
  readonly key: string
  readonly attribute: string
  readonly parameters: readonly Parameter[]
  readonly place: Place
  /** The places of a zone, by the uids of its components. */
  readonly zone: ReadonlyMap<string, Place> | undefined
}

/** The query string of a read. @param parameters The parameters of the root. */
export function queryString(place: Place, parameters: readonly Parameter[]): string {
  const pairs: string[] = []
  add(pairs, '', parameters)
  print(place, '', pairs)
  return pairs.join('&')
}

function print(place: Place, at: string, pairs: string[]): void {
  const fields = inside(at, 'fields')
  if (place.fields.size === 0) pairs.push(`${fields}=id`)
  for (const field of place.fields) pairs.push(`${fields}[]=${field}`)
  for (const child of place.children.values()) {
    const below = inside(inside(at, 'populate'), child.key)
    if (child.key !== child.attribute) pairs.push(`${below}[of]=${child.attribute}`)
    add(pairs, below, child.parameters)
    if (!child.zone) print(child.place, below, pairs)
    else for (const [uid, part] of child.zone) print(part, `${below}[on][${uid}]`, pairs)
  }
}

function add(pairs: string[], at: string, parameters: readonly Parameter[]): void {
  for (const [path, value] of parameters)
    pairs.push(`${path.reduce<string>(inside, at)}=${encodeURIComponent(value)}`)
}

const inside = (at: string, name: string | number): string => (at === '' ? String(name) : `${at}[${name}]`)
