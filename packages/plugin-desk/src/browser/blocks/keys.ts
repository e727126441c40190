/** The keys of the editor of blocks. */
import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  deleteSelection,
  exitCode,
  joinBackward,
  joinForward,
  liftEmptyBlock,
  newlineInCode,
  selectNodeBackward,
  selectNodeForward,
  splitBlock,
  toggleMark,
} from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import { type Command, NodeSelection, type Plugin } from 'prosemirror-state'
import { breakLine, indent, leaveList, outdent, plainAtStart, toBlock, toList } from './commands.ts'
import { type flags, schema } from './schema.ts'

/** The meta of transactions that are undone by themselves, and not together with what is typed before and after. */
export const step = 'step'

/** A command whose change is undone by itself. */
export const asStep =
  (command: Command): Command =>
  (state, dispatch, view) =>
    command(state, dispatch && ((tr) => dispatch(tr.setMeta(step, true))), view)

export const toggle = (mark: (typeof flags)[number]): Command => toggleMark(schema.marks[mark] as never) // a mark of each flag

/** Selects the picture, or the block that is not known, beside the caret: it is deleted with a second press. */
const selectAtom =
  (side: -1 | 1): Command =>
  (state, dispatch) => {
    const { $from, empty } = state.selection
    const { parent, parentOffset } = $from
    if (!empty || !parent.isTextblock || parentOffset !== (side < 0 ? 0 : parent.content.size)) return false
    const edge = state.doc.resolve(side < 0 ? $from.before() : $from.after())
    const atom = side < 0 ? edge.nodeBefore : edge.nodeAfter
    if (!atom?.isAtom) return false
    dispatch?.(
      state.tr.setSelection(NodeSelection.create(state.doc, side < 0 ? edge.pos - atom.nodeSize : edge.pos)),
    )
    return true
  }

const backspace = chainCommands(
  deleteSelection,
  plainAtStart,
  selectAtom(-1),
  joinBackward,
  selectNodeBackward,
)
const remove = chainCommands(deleteSelection, selectAtom(1), joinForward, selectNodeForward)

interface Actions {
  readonly undo: () => void
  readonly redo: () => void
  readonly link: () => void
}

const always =
  (act: () => void): Command =>
  (_, dispatch) => {
    if (dispatch) act()
    return true
  }

/** Tab leaves the text, as it does in every field. */
export function keysFor({ undo, redo, link }: Actions): readonly Plugin[] {
  const steps: Record<string, Command> = {
    'Mod-b': toggle('bold'),
    'Mod-i': toggle('italic'),
    'Mod-u': toggle('underline'),
    'Mod-Shift-x': toggle('strikethrough'),
    'Mod-e': toggle('code'),
    'Mod-Shift-7': toList('ordered'),
    'Mod-Shift-8': toList('unordered'),
    'Mod-Shift-9': toBlock('quote'),
    'Mod-Alt-0': toBlock('paragraph'),
    'Mod-]': indent,
    'Mod-[': outdent,
  }
  for (const level of [1, 2, 3, 4, 5, 6] as const) steps[`Mod-Alt-${level}`] = toBlock(`heading${level}`)
  const own: Record<string, Command> = {
    ...Object.fromEntries(Object.entries(steps).map(([key, command]) => [key, asStep(command)])),
    'Mod-k': always(link),
    'Mod-z': always(undo),
    'Mod-y': always(redo),
    'Shift-Mod-z': always(redo),
    'Shift-Enter': breakLine,
    'Mod-Enter': exitCode,
    Enter: chainCommands(leaveList, newlineInCode, createParagraphNear, liftEmptyBlock, splitBlock),
    Backspace: backspace,
    'Shift-Backspace': backspace,
    Delete: remove,
  }
  return [keymap(own), keymap(baseKeymap)]
}
