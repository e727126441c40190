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
  const state = useMemo(
    (): CellState => ({ attribute, entry, value: structuredClone(entry.attributes[name]) }),
    [attribute, entry, name],
  )
  return <MountPlace of={cell} state={state} className="extension cell" />
}
