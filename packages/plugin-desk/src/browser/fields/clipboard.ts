/** A part that was copied, for other entries and tabs of this device. */
import type { GroupValue } from '../../form/index.ts'

const place = 'octavo-desk/part'

/** @returns whether the device had room for it */
export function keepPart(part: GroupValue): boolean {
  try {
    localStorage.setItem(place, JSON.stringify(part))
    return true
  } catch {
    return false
  }
}

/** @param uids Of the components that can be pasted. */
export function keptPart(uids: readonly string[]): GroupValue | undefined {
  try {
    const part = JSON.parse(localStorage.getItem(place) ?? 'null') as GroupValue | null // written by keepPart
    return part && uids.includes(part.uid) ? part : undefined
  } catch {
    return undefined
  }
}
