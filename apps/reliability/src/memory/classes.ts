/** The classes of a heap snapshot of V8, by the bytes of their objects. */

/** The part of a snapshot that is read; its format is that of Chrome's developer tools. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] }
  }
  readonly nodes: readonly number[]
  readonly strings: readonly string[]
}

export interface ClassSize {
  /** `object: Lane`, `string`, `code`: the kind, and the class of objects. */
  readonly name: string
  readonly count: number
  readonly bytes: number
}

/** The classes with the most bytes first. */
export function classesOf({ snapshot: { meta }, nodes, strings }: Snapshot): readonly ClassSize[] {
  const { node_fields: fields, node_types: types } = meta
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field)) as [
    number,
    number,
    number,
  ]
  const kinds = types[type] as readonly string[] // the names of the numbers in that field
  const found = new Map<string, { count: number; bytes: number }>()
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = kinds[nodes[at + type] ?? 0] ?? '?'
    const key = kind === 'object' ? `object: ${strings[nodes[at + name] ?? 0]}` : kind
    const one = found.get(key) ?? { count: 0, bytes: 0 }
    one.count += 1
    one.bytes += nodes[at + size] ?? 0
    found.set(key, one)
  }
  return [...found]
    .map(([key, one]) => ({ name: key, ...one }))
    .toSorted((one, other) => other.bytes - one.bytes)
}
