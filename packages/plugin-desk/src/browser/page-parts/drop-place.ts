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

/** The fields that take the address of a link as a text. */
const fields = `input, textarea, ${editors}`

/**
 * Leaves the page as it is when files or links are dropped beside the places that take them: browsers would show the file, or the page of the
 * link, in the place of this one. Pictures of the page are not dragged: browsers would give a text, onto which one is dropped, a new file with
 * the same content.
 */
export function watchDrops(): void {
  window.addEventListener('dragstart', (event) => {
    const { target } = event
    if (target instanceof HTMLImageElement && target.closest(editors) === null) event.preventDefault()
  })
  for (const name of ['dragover', 'drop'] as const)
    window.addEventListener(name, (event) => {
      const { dataTransfer, target, defaultPrevented } = event
      if (defaultPrevented || !dataTransfer) return
      const isOver = (places: string) => target instanceof Element && target.closest(places) !== null
      const isOfFiles = dataTransfer.types.includes('Files')
      const isOfLink = !isOfFiles && dataTransfer.types.includes('text/uri-list') && !isOver(fields)
      if (!isOfFiles && !isOfLink) return
      event.preventDefault()
      if (!isOver(editors)) dataTransfer.dropEffect = 'none'
    })
}
