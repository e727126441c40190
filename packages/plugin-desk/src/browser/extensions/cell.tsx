import { useMemo } from 'react'
import type { AttributeInfo, CellExtension, CellState, EntryInfo } from '../../extension.ts'
import { MountPlace } from './mount.tsx'
import type { Defined } from './registry.ts'

interface ExtensionCellProps {
  readonly cell: Defined<CellExtension>
  readonly entry: EntryInfo
  readonly name: string
  readonly attribute: AttributeInfo
}

/** A value in a list, drawn by an extension. */
export function ExtensionCell({ cell, entry, name, attribute }: ExtensionCellProps) {
  // A copy, as the other cells of the row are drawn from the entry.
  const state = useMemo((): CellState => {
    const own = structuredClone({ attribute, entry })
    return { ...own, value: own.entry.attributes[name] }
  }, [attribute, entry, name])
  return <MountPlace of={cell} state={state} className="extension cell" />
}
