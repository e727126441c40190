import { type DragEvent, useState } from 'react'

/**
 * A place that takes what is dragged onto it.
 *
 * @param takes Whether it takes what is dragged.
 * @param onDrop Called when it is dropped here. A place around this one learns nothing of it.
 */
export function useDropPlace(takes: (event: DragEvent) => boolean, onDrop: (event: DragEvent) => void) {
  const [isOver, setOver] = useState(false)
  const taken = (event: DragEvent): boolean => {
    if (!takes(event)) return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (taken(event)) setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!taken(event)) return
      setOver(false)
      onDrop(event)
    },
  }
  return { isOver, handlers }
}

/** The text editors, of which that of Markdown takes text files. */
const editors = '[contenteditable=true]'

/**
 * Leaves the page as it is when files are dropped beside the places that take them: browsers would show the file in the place of the page,
 * or in a tab of its own.
 */
export function watchDrops(): void {
  for (const name of ['dragover', 'drop'] as const)
    window.addEventListener(name, (event) => {
      const { dataTransfer, target, defaultPrevented } = event
      if (defaultPrevented || !dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      if (!(target instanceof Element && target.closest(editors))) dataTransfer.dropEffect = 'none'
    })
}
