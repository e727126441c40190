import type { ContentType, ScalarAttribute } from '@octavo/core/plugin'
import type { Data } from '../records.ts'
import type { Scratch } from '../scratch/scratch.ts'
import { keyOf } from './links.ts'

/** An attribute with a unique value. */
interface UniqueAttribute {
  /** Number of its key in the scratch database. */
  readonly number: number
  /** Uid of the content-type. */
  readonly type: string
  readonly name: string
  /** The value as text; `undefined` when there is none, or it cannot be read. */
  read(values: Data): string | undefined
  /** Entries of different scopes may share a value. The scope is usually the locale. */
  scope(values: Data, defaultLocale: string): string
}

export const uniqueTable = 'create table unique_value (attr integer, value text, scope text, id integer);'

/** A value that an earlier entry has too. */
export interface RepeatedValue {
  readonly attribute: Pick<UniqueAttribute, 'type' | 'name'>
  readonly value: unknown
  readonly id: number
  /** Id of the entry that the value belongs to: the least one. */
  readonly first: number
}

/** The values of unique attributes, compared after all entries are read. */
export class UniqueValues {
  readonly #scratch: Scratch
  readonly #defaultLocale: string
  readonly #attributes = new Map<string, readonly UniqueAttribute[]>()

  constructor(scratch: Scratch, defaultLocale: string) {
    this.#scratch = scratch
    this.#defaultLocale = defaultLocale
  }

  add(type: ContentType, id: number, values: Data): void {
    for (const attribute of this.#of(type)) {
      const value = attribute.read(values)
      if (value === undefined) continue
      this.#scratch.run(
        'insert into unique_value values (?, ?, ?, ?)',
        attribute.number,
        value,
        attribute.scope(values, this.#defaultLocale),
        id,
      )
    }
  }

  /** The repeated values of all entries. Call it once, after the last `add`. */
  *repeated(): Generator<RepeatedValue> {
    this.#scratch.run('create index unique_value_key on unique_value (attr, scope, value, id)')
    const rows = this.#scratch.iterate(
      `select * from (select attr, value, id, first_value(id) over (partition by attr, scope, value order by id) as first from unique_value) where id <> first`,
    )
    const attributes = new Map(
      [...this.#attributes.values()].flat().map((attribute) => [attribute.number, attribute]),
    )
    for (const { attr, value, id, first } of rows) {
      const attribute = attributes.get(Number(attr))
      if (attribute) yield { attribute, value, id: Number(id), first: Number(first) }
    }
  }

  /** Frees the space of the values. */
  close(): void {
    this.#scratch.run('drop table unique_value')
  }

  #of(type: ContentType): readonly UniqueAttribute[] {
    const known = this.#attributes.get(type.uid)
    if (known) return known
    const made = uniqueAttributes(type, this.#scratch)
    this.#attributes.set(type.uid, made)
    return made
  }
}

function uniqueAttributes(type: ContentType, scratch: Scratch): readonly UniqueAttribute[] {
  return [...type.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .filter((attribute) => isUnique(type, attribute))
    .map((attribute) => ({
      number: scratch.number(keyOf(type.uid, attribute.name)),
      type: type.uid,
      name: attribute.name,
      read: (values) => textOf(attribute, values[attribute.name]),
      scope: (values, defaultLocale) =>
        (attribute.definition.uniqueWithin ?? [])
          .map((name) => String(values[name] ?? (name === 'locale' ? defaultLocale : '')))
          .join('\n'),
    }))
}

/** A single type has one entry in each locale: a second one could be neither read nor deleted, nor restored from a backup. */
const isUnique = (model: ContentType, { name, type, definition }: ScalarAttribute): boolean =>
  definition.unique ??
  (type.name === 'uid' ||
    (name === 'locale' && model.kind === 'singleType' && model.attributes.has('localizations')))

function textOf({ type, definition }: ScalarAttribute, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  try {
    return String(type.fromJson(value, definition))
  } catch {
    // `checkValues` reports it.
    return undefined
  }
}
