import { dropCursor } from 'prosemirror-dropcursor'
import { EditorState } from 'prosemirror-state'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { keysFor, step } from './keys.ts'
import { type Look, lookOf, sameLook } from './look.ts'
import { cleanedHtml, pasteParser, withLines } from './paste.ts'
import { readBlocks } from './read.ts'
import { replacing } from './replace.ts'
import { writeBlocks } from './write.ts'

export interface EditorParts {
  readonly value: readonly unknown[] | null
  readonly readOnly: boolean
  /** Of the element of the text: its id, its name and its states. */
  readonly attributes: Readonly<Record<string, string>>
  readonly placeholder: string | undefined
  /** Takes what was written. @param typing Whether it goes on with what was typed before, as one step of undo. */
  readonly onWrite: (value: unknown, typing: boolean) => void
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onLink: () => void
}

/** The meta of transactions that bring a value from elsewhere: it is in the form already. */
const arrived = 'arrived'

/** An editor of blocks in an element. The form keeps the value and the history; the editor has the document that shows it. */
export function useBlocksEditor(place: RefObject<HTMLElement | null>, parts: EditorParts) {
  const latest = useRef(parts)
  latest.current = parts
  const shown = useRef(parts.value as unknown)
  const view = useRef<EditorView>(undefined)
  const [look, setLook] = useState<Look>()
  useEffect(() => {
    const made = createView(place.current, latest, (state, value) => {
      if (value) shown.current = value.written
      const next = lookOf(state)
      setLook((present) => (present && sameLook(present, next) ? present : next))
    })
    view.current = made
    return () => made.destroy()
  }, [place])
  const { value, readOnly, attributes, placeholder } = parts
  useEffect(() => {
    const present = view.current
    if (!present || shown.current === value) return
    shown.current = value
    present.dispatch(replacing(present.state, value).setMeta(arrived, true))
  }, [value])
  const looks = JSON.stringify([readOnly, attributes, placeholder])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is drawn anew when one of them has changed
  useEffect(() => view.current?.setProps({}), [looks])
  return { view, look }
}

type Changed = (state: EditorState, value: { readonly written: unknown } | undefined) => void

function createView(place: HTMLElement | null, latest: RefObject<EditorParts>, changed: Changed): EditorView {
  const act = (name: 'onUndo' | 'onRedo' | 'onLink') => () => latest.current[name]()
  const { value } = latest.current
  const view: EditorView = new EditorView(place, {
    state: EditorState.create({
      doc: readBlocks(value),
      plugins: [
        ...keysFor({ undo: act('onUndo'), redo: act('onRedo'), link: act('onLink') }),
        dropCursor({ color: false, class: 'drop-line' }),
      ],
    }),
    editable: () => !latest.current.readOnly,
    attributes: ({ doc }) => ({
      ...attributesOf(latest.current),
      ...emptyOf(doc.content.size, latest.current),
    }),
    clipboardParser: pasteParser,
    transformPastedHTML: cleanedHtml,
    transformPasted: withLines,
    handleDOMEvents: { beforeinput: (_, event) => takesHistory(event, act) },
    dispatchTransaction: (tr) => {
      const state = view.state.apply(tr)
      view.updateState(state)
      if (!tr.docChanged || tr.getMeta(arrived)) return changed(state, undefined)
      const written = writeBlocks(state.doc)
      changed(state, { written })
      latest.current.onWrite(written, !tr.getMeta(step) && tr.getMeta('uiEvent') === undefined)
    },
  })
  changed(view.state, undefined)
  return view
}

/** The menus of browsers undo as well: the form does it in their place. */
function takesHistory(event: InputEvent, act: (name: 'onUndo' | 'onRedo') => () => void): boolean {
  if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return false
  event.preventDefault()
  act(event.inputType === 'historyUndo' ? 'onUndo' : 'onRedo')()
  return true
}

function attributesOf({ attributes, readOnly }: EditorParts): Readonly<Record<string, string>> {
  return {
    class: 'writing-text',
    role: 'textbox',
    'aria-multiline': 'true',
    ...attributes,
    // A text that cannot be changed is scrolled by keyboard all the same.
    ...(readOnly && { 'aria-readonly': 'true', tabindex: '0' }),
  }
}

/** An empty paragraph has the size 2. */
const emptyOf = (size: number, { placeholder }: EditorParts): Readonly<Record<string, string>> =>
  size > 2 || placeholder === undefined
    ? {}
    : { 'data-placeholder': placeholder, 'aria-placeholder': placeholder }

/** Shows what is selected while the focus is elsewhere, as in the address of a link. */
export function showSelection(view: EditorView | undefined, isShown: boolean): void {
  view?.setProps({
    decorations: ({ doc, selection: { from, to } }) =>
      isShown ? DecorationSet.create(doc, [Decoration.inline(from, to, { class: 'chosen' })]) : null,
  })
}
