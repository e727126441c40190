/** The state of the toolbar: the formats of the text at the caret. */
import type { EditorState } from 'prosemirror-state'
import { blockAt, indent, linkAt, listAt, outdent } from './commands.ts'
import { flags, schema } from './schema.ts'

export interface Look {
  /** As `toBlock` has them; `''` for lists, pictures and blocks that are not known. */
  readonly block: string
  readonly list: string
  /** The names of the marks of what is typed next, or of the whole selection. */
  readonly marks: string
  readonly link: string | undefined
  readonly mayIndent: boolean
  readonly mayOutdent: boolean
}

function has(state: EditorState, flag: string): boolean {
  const { empty, $from, from, to } = state.selection
  const type = schema.marks[flag]
  if (!type) return false
  return empty
    ? type.isInSet(state.storedMarks ?? $from.marks()) !== undefined
    : state.doc.rangeHasMark(from, to, type)
}

export const lookOf = (state: EditorState): Look => ({
  block: blockAt(state) ?? '',
  list: listAt(state) ?? '',
  marks: flags.filter((flag) => has(state, flag)).join(' '),
  link: linkAt(state),
  mayIndent: indent(state),
  mayOutdent: outdent(state),
})
