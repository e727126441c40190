import { type ChangeEvent, useRef } from 'react'

/** Whether a box was pressed with Shift, by the mouse or the keyboard. */
export const isWithShift = ({ nativeEvent }: ChangeEvent): boolean =>
  'shiftKey' in nativeEvent && nativeEvent.shiftKey === true

/**
 * The entries of a list that a press of a box is about: with Shift, all from the one before it that was pressed.
 *
 * @param ids The list.
 * @returns a function of the entry whose box was pressed
 */
export function useRange(ids: readonly number[]): (id: number, isRange: boolean) => readonly number[] {
  const last = useRef<number>(undefined)
  return (id, isRange) => {
    const [from, to] = [ids.indexOf(last.current ?? id), ids.indexOf(id)]
    last.current = id
    return isRange && from !== -1 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
  }
}
