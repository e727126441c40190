import { dropCursor } from 'prosemirror-dropcursor'
import { EditorState, Selection } from 'prosemirror-state'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import type { RefObject } from 'react'
import {
  type Changed,
  type EditorKind,
  type EditorParts,
  type Latest,
  readOnlyAttributes,
  takesFiles,
  takesHistory,
  useTextEditor,
} from '../writing/use-text-editor.ts'
import { keysFor, step } from './keys.ts'
import { type Look, lookOf } from './look.ts'
import { cleanedHtml, pasteParser, withLines } from './paste.ts'
import { readBlocks } from './read.ts'
import { replacing } from './replace.ts'
import { writeBlocks } from './write.ts'

type Blocks = readonly unknown[] | null

/** The meta of transactions that bring a value from elsewhere: it is in the form already. */
const arrived = 'arrived'

const kind: EditorKind<Blocks, Look, EditorView> = {
  create,
  replace: (view, value) => view.dispatch(replacing(view.state, value).setMeta(arrived, true)),
  redraw: (view) => view.setProps({}),
}

/** An editor of blocks in an element. Its document shows the value. */
export const useBlocksEditor = (place: RefObject<HTMLElement | null>, parts: EditorParts<Blocks>) =>
  useTextEditor(kind, place, parts)

function create(
  place: HTMLElement | null,
  latest: Latest<Blocks>,
  changed: Changed<Blocks, Look>,
): EditorView {
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
    handlePaste: (_, event) => takesFiles(event, latest, () => false),
    handleDrop: (view, event) => takesFiles(event, latest, () => false) && setCaret(view, event),
    handleDOMEvents: { beforeinput: (_, event) => takesHistory(event, latest) },
    dispatchTransaction: (tr) => {
      const state = view.state.apply(tr)
      view.updateState(state)
      if (!tr.docChanged || tr.getMeta(arrived)) return changed(lookOf(state))
      const written = writeBlocks(state.doc)
      changed(lookOf(state), { value: written })
      latest.current.onWrite(written, !tr.getMeta(step) && tr.getMeta('uiEvent') === undefined)
    },
  })
  changed(lookOf(view.state))
  return view
}

/** Puts the caret where something was dropped. */
function setCaret(view: EditorView, { clientX, clientY }: DragEvent): true {
  const { doc, tr } = view.state
  const at = view.posAtCoords({ left: clientX, top: clientY })
  if (at) view.dispatch(tr.setSelection(Selection.near(doc.resolve(at.pos))))
  return true
}

function attributesOf({ attributes, readOnly }: EditorParts<Blocks>): Readonly<Record<string, string>> {
  return {
    class: 'writing-text',
    role: 'textbox',
    'aria-multiline': 'true',
    ...attributes,
    ...readOnlyAttributes(readOnly),
  }
}

/** An empty paragraph has the size 2. */
const emptyOf = (size: number, { placeholder }: EditorParts<Blocks>): Readonly<Record<string, string>> =>
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
