/** Entries as answers have them. */

import { isBlank, type Texts } from '../text/index.ts'
import { mainFieldOf } from './layout.ts'
import type { ContentType } from './model.ts'

export interface Entry {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface Related {
  readonly data: Entry | readonly Entry[] | null
}

export const relatedIn = (value: unknown): readonly Entry[] => {
  const { data } = (value ?? {}) as Partial<Related> // a populated relation
  return data === null || data === undefined ? [] : Array.isArray(data) ? data : [data as Entry]
}

export interface ListAnswer {
  readonly data: readonly Entry[]
  readonly meta: {
    readonly pagination: {
      readonly total?: number
      /** The size of the page, which may be smaller than the one that was asked for. */
      readonly pageSize?: number
      readonly cursors?: { readonly before: string | null; readonly after: string | null }
    }
  }
}

/** The name of an entry in words. @param main The attribute that labels it. */
export function labelOf(
  entry: Entry,
  type: ContentType | undefined,
  noun: string,
  text: Texts,
  main = type && mainFieldOf(type),
): string {
  const value = main === undefined ? undefined : entry.attributes[main]
  return typeof value === 'string' && !isBlank(value)
    ? value
    : typeof value === 'number'
      ? String(value)
      : text.noTitle(noun, entry.id)
}
