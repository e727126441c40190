import { defaultKeymap } from '@codemirror/commands'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import type { RefObject } from 'react'
import {
  type Changed,
  type EditorKind,
  type EditorParts,
  type Latest as LatestOf,
  readOnlyAttributes,
  takesFiles,
  takesHistory,
  useTextEditor,
} from '../writing/use-text-editor.ts'
import { type Change, goOn, type Look, lookOf, toHeading, toLines, wrap } from './commands.ts'
import { markdownLook } from './language.ts'
import { pasting } from './paste.ts'

type Latest = LatestOf<string>

/** Of transactions that bring a value from elsewhere: it is in the form already. */
const arrived = Annotation.define<true>()
/** Of changes that are undone by themselves. */
const step = Annotation.define<true>()

const looks = new Compartment()

/** Makes a change that is undone by itself. @returns whether there was one to make */
export function run(view: EditorView, change: Change): boolean {
  const spec = change(view.state)
  if (!spec || view.state.readOnly) return false
  view.dispatch({ ...spec, annotations: step.of(true) })
  return true
}

const kind: EditorKind<string, Look, EditorView> = {
  create,
  replace,
  redraw: (view, latest) => view.dispatch({ effects: looks.reconfigure(looksOf(latest)) }),
}

/** An editor of Markdown in an element. */
export const useMarkdownEditor = (place: RefObject<HTMLElement | null>, parts: EditorParts<string>) =>
  useTextEditor(kind, place, parts)

/** Takes a value that came from elsewhere: what differs is replaced, so that the caret stays at its letter. */
function replace(view: EditorView, value: string): void {
  const present = view.state.doc.toString()
  const shorter = Math.min(present.length, value.length)
  let start = 0
  while (start < shorter && present[start] === value[start]) start++
  let end = 0
  while (end < shorter - start && present.at(-1 - end) === value.at(-1 - end)) end++
  view.dispatch({
    changes: { from: start, to: present.length - end, insert: value.slice(start, value.length - end) },
    annotations: arrived.of(true),
  })
}

function create(place: HTMLElement | null, latest: Latest, changed: Changed<string, Look>): EditorView {
  const view = withAdoptedStyles(
    () =>
      new EditorView({
        ...(place && { parent: place }),
        state: EditorState.create({
          doc: latest.current.value,
          extensions: [
            keysFor(latest),
            looks.of(looksOf(latest)),
            markdownLook,
            EditorView.lineWrapping,
            EditorView.updateListener.of(({ docChanged, transactions, state, selectionSet }) => {
              if (!docChanged) return selectionSet ? changed(lookOf(state)) : undefined
              if (transactions.some((tr) => tr.annotation(arrived))) return changed(lookOf(state))
              const written = state.doc.toString()
              changed(lookOf(state), { value: written })
              const isStep = transactions.some((tr) => tr.annotation(step) || tr.isUserEvent('input.paste'))
              latest.current.onWrite(written, !isStep)
            }),
          ],
        }),
      }),
  )
  changed(lookOf(view.state))
  return view
}

/**
 * The editor brings its styles as a style element, which the policy of the pages refuses, except where a document has no head: there
 * it adopts a style sheet, which the policy allows. The first editor decides for all.
 */
function withAdoptedStyles<T>(make: () => T): T {
  Object.defineProperty(document, 'head', { value: null, configurable: true })
  try {
    return make()
  } finally {
    // The property of all documents is there again.
    Reflect.deleteProperty(document, 'head')
  }
}

const looksOf = ({ current }: Latest): Extension => [
  EditorView.contentAttributes.of({
    spellcheck: 'true',
    autocorrect: 'on',
    autocapitalize: 'sentences',
    ...current.attributes,
    ...readOnlyAttributes(current.readOnly),
  }),
  EditorState.readOnly.of(current.readOnly),
  EditorView.editable.of(!current.readOnly),
  current.placeholder === undefined ? [] : placeholder(current.placeholder),
]

/** Whether a key redoes. With Caps Lock it has a small letter, which the key map would take for that of the key that undoes. */
const isShiftZ = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'z' && shiftKey && (ctrlKey || metaKey) && !altKey

/** The editor inserts the content of such a file. Systems name no type for many kinds of text. */
const isText = ({ type }: File): boolean => /^(?:text\/.*|application\/json|)$/.test(type)

/** Pastes what another program has formatted. */
function takesHtml(event: ClipboardEvent, view: EditorView): boolean {
  const change = view.state.readOnly
    ? undefined
    : pasting(view.state, event.clipboardData?.getData('text/html') ?? '')
  if (!change) return false
  event.preventDefault()
  view.dispatch(change)
  return true
}

/** Puts the caret where something was dropped. */
function setCaret(view: EditorView, { clientX, clientY }: DragEvent): true {
  view.dispatch({ selection: { anchor: view.posAtCoords({ x: clientX, y: clientY }, false) } })
  return true
}

/** Tab leaves the text, as it does in every field. */
function keysFor(latest: Latest): Extension {
  const act = (name: 'onUndo' | 'onRedo' | 'onLink') => () => {
    latest.current[name]()
    return true
  }
  const changes: Readonly<Record<string, Change>> = {
    'Mod-b': wrap('**'),
    'Mod-i': wrap('_'),
    'Mod-Shift-x': wrap('~~'),
    'Mod-e': wrap('`'),
    'Mod-Shift-7': toLines('ordered'),
    'Mod-Shift-8': toLines('unordered'),
    'Mod-Shift-9': toLines('quote'),
    ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((level) => [`Mod-Alt-${level}`, toHeading(level)])),
  }
  return [
    EditorView.domEventHandlers({
      beforeinput: (event) => takesHistory(event, latest),
      keydown: (event) => isShiftZ(event) && act('onRedo')(),
      paste: (event, view) => takesFiles(event, latest, isText) || takesHtml(event, view),
      drop: (event, view) => takesFiles(event, latest, isText) && setCaret(view, event),
    }),
    keymap.of([
      ...Object.entries(changes).map(([key, change]) => ({
        key,
        run: (view: EditorView) => run(view, change),
        preventDefault: true,
      })),
      { key: 'Mod-k', run: act('onLink') },
      { key: 'Mod-z', run: act('onUndo') },
      { key: 'Mod-y', run: act('onRedo') },
      { key: 'Enter', run: (view) => run(view, goOn) },
      ...defaultKeymap,
    ]),
  ]
}
