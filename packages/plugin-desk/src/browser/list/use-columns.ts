import { useState } from 'react'
import type { ContentType } from '../model/model.ts'
import { type Me, mayField } from '../model/rights.ts'
import { deviceStorage } from '../page-parts/device.ts'
import { type Column, columnsOf, usualColumns } from './list-query.ts'

const keyOf = (uid: string): string => `columns/${uid}`

/** The names of the columns that the person has chosen on this device, or else the usual ones. */
function storedColumns(type: ContentType): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(`octavo-desk/${keyOf(type.uid)}`) ?? 'null')
    return Array.isArray(stored) ? stored.map(String) : usualColumns(type)
  } catch {
    return usualColumns(type)
  }
}

/** The columns that a list may have for a person. */
const readableColumns = (type: ContentType, me: Me): readonly Column[] =>
  columnsOf(type).filter(
    ({ kind, name }) =>
      name === 'id' || !['value', 'relation'].includes(kind) || mayField(me, type.uid, 'read', name),
  )

const chosenOf = (readable: readonly Column[], names: readonly string[]): readonly Column[] =>
  names.flatMap((name) => readable.find((column) => column.name === name) ?? [])

/** The columns with which a list opens. */
export const firstColumns = (type: ContentType, me: Me): readonly Column[] =>
  chosenOf(readableColumns(type, me), storedColumns(type))

/** The columns of a list, and the choice of the person on this device. */
export function useColumns(type: ContentType, me: Me) {
  const [names, setNames] = useState(() => storedColumns(type))
  const readable = readableColumns(type, me)
  const choose = (next: readonly string[]): void => {
    setNames(next)
    // Without room on the device the choice lasts as long as the page.
    void deviceStorage.set(keyOf(type.uid), JSON.stringify(next)).catch(() => undefined)
  }
  return { names, readable, columns: chosenOf(readable, names), choose }
}
