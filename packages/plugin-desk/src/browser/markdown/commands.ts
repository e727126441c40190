/** The commands of the toolbar and of the keys: Markdown is text, so they write its signs. */
import { type ChangeSpec, EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state'

/** The change of a state; `undefined` where there is none to make. */
export type Change = (state: EditorState) => TransactionSpec | undefined

/** Puts the signs of a mark around the selected words, or takes them away. */
export const wrap =
  (sign: string): Change =>
  (state) => {
    const { from, to } = state.selection.main
    const size = sign.length
    const text = state.sliceDoc(from, to)
    if (state.sliceDoc(Math.max(0, from - size), from) === sign && state.sliceDoc(to, to + size) === sign)
      return {
        changes: [
          { from: from - size, to: from },
          { from: to, to: to + size },
        ],
        selection: EditorSelection.range(from - size, to - size),
      }
    if (text.length >= 2 * size && text.startsWith(sign) && text.endsWith(sign))
      return {
        changes: { from, to, insert: text.slice(size, -size) },
        selection: EditorSelection.range(from, to - 2 * size),
      }
    // Signs beside a space would be letters.
    const start = from + (text.length - text.trimStart().length)
    const end = text.trim() === '' ? start : to - (text.length - text.trimEnd().length)
    return {
      changes: [
        { from: start, insert: sign },
        { from: end, insert: sign },
      ],
      selection: EditorSelection.range(start + size, end + size),
    }
  }

export type LineKind = 'unordered' | 'ordered' | 'quote'

const signs: Readonly<Record<LineKind, RegExp>> = {
  unordered: /^(\s*)[-*+] /,
  ordered: /^(\s*)\d+[.)] /,
  quote: /^(\s*)> ?/,
}

/** The lines that the selection touches. */
function linesIn({ doc, selection }: EditorState) {
  const { from, to } = selection.main
  const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number]
  return Array.from({ length: last - first + 1 }, (_, i) => doc.line(first + i))
}

/** Changes before the caret, which stays at its letter, behind what is put where it stands. */
function before(state: EditorState, specs: readonly ChangeSpec[]): TransactionSpec {
  const changes = state.changes(specs)
  return { changes, selection: state.selection.map(changes, 1) }
}

/** Makes the selected lines items of a list or a quote, or plain lines again. */
export const toLines =
  (kind: LineKind): Change =>
  (state) => {
    const lines = linesIn(state).filter(({ text }, _, all) => all.length === 1 || text.trim() !== '')
    const isAll = lines.every(({ text }) => signs[kind].test(text))
    const others = Object.values(signs)
    const changes = lines.map(({ from, text }, i): ChangeSpec => {
      const found = isAll ? signs[kind].exec(text) : others.map((one) => one.exec(text)).find(Boolean)
      const space = found?.[1]?.length ?? /^\s*/.exec(text)?.[0].length ?? 0
      const sign = isAll ? '' : { unordered: '- ', ordered: `${i + 1}. `, quote: '> ' }[kind]
      return { from: from + space, to: from + Math.max(space, found?.[0].length ?? 0), insert: sign }
    })
    return before(state, changes)
  }

/** Makes the selected lines headings, or plain lines with the level 0. */
export const toHeading =
  (level: number): Change =>
  (state) =>
    before(
      state,
      linesIn(state).map(({ from, text }) => ({
        from,
        to: from + (/^#{1,6} */.exec(text)?.[0].length ?? 0),
        insert: level === 0 ? '' : `${'#'.repeat(level)} `,
      })),
    )

/** An address as Markdown takes it: spaces and brackets would end it. */
export const escaped = (url: string): string =>
  url.replaceAll(
    /[\s()<>]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )

/** Links the selected words, or the address itself where none are selected. */
export const setLink =
  (url: string): Change =>
  (state) => {
    const { from, to, empty } = state.selection.main
    const words = empty ? url : state.sliceDoc(from, to)
    const insert = `[${words.replaceAll(/[[\]]/g, '\\$&')}](${escaped(url)})`
    return { changes: { from, to, insert }, selection: EditorSelection.cursor(from + insert.length) }
  }

/** Puts a picture at the caret. */
export const insertPicture =
  (url: string, words: string): Change =>
  (state) => {
    const { from, to } = state.selection.main
    const insert = `![${words.replaceAll(/[[\]\n]/g, ' ')}](${escaped(url)})`
    return { changes: { from, to, insert }, selection: EditorSelection.cursor(from + insert.length) }
  }

export interface Look {
  /** The level of the heading at the caret; 0 without a heading. */
  readonly level: number
  readonly kind: LineKind | undefined
}

export function lookOf({ doc, selection }: EditorState): Look {
  const { text } = doc.lineAt(selection.main.head)
  const kinds = Object.keys(signs) as LineKind[]
  return {
    level: /^(#{1,6}) /.exec(text)?.[1]?.length ?? 0,
    kind: kinds.find((kind) => signs[kind].test(text)),
  }
}

/** Enter goes on with a list or a quote, and ends it at an empty item. */
export const goOn: Change = (state) => {
  const { head, empty } = state.selection.main
  const line = state.doc.lineAt(head)
  const [sign, space = '', mark = ''] = /^(\s*)([-*+]|\d+[.)]|>)\s/.exec(line.text) ?? []
  if (!empty || sign === undefined || head < line.from + sign.length) return undefined
  if (line.text.length === sign.length) return { changes: { from: line.from, to: line.to } }
  const number = /^\d+/.exec(mark)?.[0]
  const next = number === undefined ? mark : mark.replace(number, String(Number(number) + 1))
  const insert = `\n${space}${next} `
  return {
    changes: { from: head, insert },
    selection: EditorSelection.cursor(head + insert.length),
    scrollIntoView: true,
  }
}
