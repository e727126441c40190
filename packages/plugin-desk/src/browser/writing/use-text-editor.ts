/** An editor of texts in an element: the form keeps the value and the history, the editor shows them. */
import { type RefObject, useEffect, useRef, useState } from 'react'

/** The parts of an editor that its field gives. */
export interface EditorParts<Value> {
  readonly value: Value
  readonly readOnly: boolean
  /** The attributes of the text's element: its id, its name and its states. */
  readonly attributes: Readonly<Record<string, string>>
  readonly placeholder: string | undefined
  /** Takes the written value. @param typing Whether it is one step of undo with the text typed before. */
  readonly onWrite: (value: Value, typing: boolean) => void
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onLink: () => void
  /** Takes files that are dropped, or pasted without a text. */
  readonly onFiles: (files: readonly File[]) => void
}

/** The parts of the last drawing. */
export type Latest<Value> = RefObject<EditorParts<Value>>

/** Called after each change of the text or the selection. @param written The value that a person has written; absent for a value from elsewhere. */
export type Changed<Value, Look> = (look: Look, written?: { readonly value: Value }) => void

/** The library behind an editor. */
export interface EditorKind<Value, Look, View extends { destroy(): void }> {
  /** Makes the editor, and calls `changed` once. */
  readonly create: (place: HTMLElement | null, latest: Latest<Value>, changed: Changed<Value, Look>) => View
  /** Shows a value from elsewhere, which the form has already. */
  readonly replace: (view: View, value: Value) => void
  /** Draws the element anew, after a change of its attributes. */
  readonly redraw: (view: View, latest: Latest<Value>) => void
}

/** @returns the editor, and the state of its tools; `undefined` before the first drawing */
export function useTextEditor<Value, Look extends object, View extends { destroy(): void }>(
  kind: EditorKind<Value, Look, View>,
  place: RefObject<HTMLElement | null>,
  parts: EditorParts<Value>,
) {
  const latest = useRef(parts)
  latest.current = parts
  const shown = useRef(parts.value)
  const view = useRef<View>(undefined)
  const [look, setLook] = useState<Look>()
  useEffect(() => {
    const made = kind.create(place.current, latest, (next, written) => {
      if (written) shown.current = written.value
      setLook((present) => (present && isSame(present, next) ? present : next))
    })
    view.current = made
    return () => made.destroy()
  }, [kind, place])
  const { value, readOnly, attributes, placeholder } = parts
  useEffect(() => {
    if (!view.current || shown.current === value) return
    shown.current = value
    kind.replace(view.current, value)
  }, [kind, value])
  const drawn = JSON.stringify([readOnly, attributes, placeholder])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is drawn anew when one of them has changed
  useEffect(() => {
    if (view.current) kind.redraw(view.current, latest)
  }, [kind, drawn])
  return { view, look }
}

const isSame = <Look extends object>(one: Look, other: Look): boolean =>
  (Object.keys(one) as (keyof Look)[]).every((name) => one[name] === other[name])

/** The menus of browsers undo as well: the form does it in their place. */
export function takesHistory(
  event: InputEvent,
  { current }: RefObject<Pick<EditorParts<unknown>, 'onUndo' | 'onRedo'>>,
): boolean {
  if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return false
  event.preventDefault()
  if (event.inputType === 'historyUndo') current.onUndo()
  else current.onRedo()
  return true
}

/**
 * Takes files of the clipboard, such as a picture of the screen, and files that are dropped. Text of word processors and tables comes with a
 * picture of itself, and is pasted as text. What is dragged within the desk comes with files of its pictures, and is moved as it is.
 *
 * @param isText Whether the editor takes the content of a file as text. It does so when it can with all of them.
 */
export function takesFiles(
  event: ClipboardEvent | DragEvent,
  { current }: RefObject<Pick<EditorParts<unknown>, 'onFiles' | 'readOnly'>>,
  isText: (file: File) => boolean,
): boolean {
  const data = event instanceof DragEvent ? event.dataTransfer : event.clipboardData
  const files = [...(data?.files ?? [])]
  const html = data?.getData('text/html') ?? ''
  const hasWords =
    event instanceof ClipboardEvent &&
    (data?.getData('text/plain') !== '' || (html !== '' && !files.some(isPicture)))
  const isOwn = html.includes('data-pm-slice')
  if (files.every(isText) || hasWords || isOwn || current.readOnly) return false
  event.preventDefault()
  current.onFiles(files)
  return true
}

export const isPicture = ({ type }: File): boolean => type.startsWith('image/')

/** A text that cannot be changed is scrolled by keyboard all the same. */
export const readOnlyAttributes = (readOnly: boolean): Readonly<Record<string, string>> =>
  readOnly ? { 'aria-readonly': 'true', tabindex: '0' } : {}
