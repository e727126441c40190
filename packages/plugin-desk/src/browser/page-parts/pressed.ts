import type { KeyboardEvent as KeyboardEventOfReact } from 'react'

/** Whether a key is pressed. While a letter is composed of several keys, they are those of the list to choose it from. */
export function isPressed(event: KeyboardEvent | KeyboardEventOfReact, key: string): boolean {
  const { isComposing } = 'nativeEvent' in event ? event.nativeEvent : event
  return event.key === key && !isComposing
}
