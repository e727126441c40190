/** A part that was copied, for other entries and tabs of this device. On a shared machine nobody gets the part of another person. */
import type { GroupValue } from '../../form/index.ts'
import { type Unkept, unkeptBy } from '../page-parts/device.ts'

const place = 'octavo-desk/part'

interface Kept {
  readonly person: number
  readonly part: GroupValue
}

/** @returns why the part is not kept; `undefined` once it is */
export function keepPart(part: GroupValue, person: number): Unkept | undefined {
  try {
    localStorage.setItem(place, JSON.stringify({ person, part } satisfies Kept))
    return undefined
  } catch (error) {
    return unkeptBy(error)
  }
}

/** @param uids The uids of the components that can be pasted. */
export function keptPart(uids: readonly string[], person: number): GroupValue | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as Kept | null // written by keepPart
    return kept?.person === person && uids.includes(kept.part.uid) ? kept.part : undefined
  } catch {
    return undefined
  }
}
