import type { ContentType, ScalarAttribute } from '@octavo/core'
import type { Data } from '../records.ts'
import type { Scratch } from '../scratch/scratch.ts'
import { keyOf } from './links.ts'

/** An attribute with a unique value. */
export interface UniqueAttribute {
  /** Of its key in the scratch database. */
  readonly number: number
  /** Uid of the content-type. */
  readonly type: string
  readonly name: string
  /** The value as text; `undefined` when there is none, or it cannot be read. */
  read(values: Data): string | undefined
  /** Entries of different scopes may share a value: a locale, mostly. */
  scope(values: Data, defaultLocale: string): string
}

export function uniqueAttributes(type: ContentType, scratch: Scratch): readonly UniqueAttribute[] {
  return [...type.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .filter(({ definition, type: { name } }) => definition.unique ?? name === 'uid')
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

function textOf({ type, definition }: ScalarAttribute, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  try {
    return String(type.fromJson(value, definition))
  } catch {
    // checkValues says what is wrong with it.
    return undefined
  }
}
