import { EditorSelection, EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { type Change, goOn, insertPicture, lookOf, setLink, toHeading, toLines, wrap } from './commands.ts'

/** A text in which `‹` and `›` are the ends of the selection. */
function changed(marked: string, change: Change): string {
  const from = marked.indexOf('‹')
  const state = EditorState.create({
    doc: marked.replaceAll(/[‹›]/g, ''),
    selection: EditorSelection.range(from, marked.indexOf('›') - 1),
  })
  const spec = change(state)
  const { doc, selection } = spec ? state.update(spec).state : state
  const { main } = selection
  const text = doc.toString()
  return `${text.slice(0, main.from)}‹${text.slice(main.from, main.to)}›${text.slice(main.to)}`
}

it.each<readonly [string, string, Change, string]>([
  ['bold', 'a ‹word› b', wrap('**'), 'a **‹word›** b'],
  ['bold without the space beside it', 'a ‹word ›b', wrap('**'), 'a **‹word›** b'],
  ['no longer bold', 'a **‹word›** b', wrap('**'), 'a ‹word› b'],
  ['no longer bold when the signs are selected', '‹**word**›', wrap('**'), '‹word›'],
  ['a place to type in bold', 'a ‹›', wrap('**'), 'a **‹›**'],
  ['a list', '‹One\n\nTwo›', toLines('unordered'), '- ‹One\n\n- Two›'],
  ['a numbered list of another one', '- ‹One\n- Two›', toLines('ordered'), '1. ‹One\n2. Two›'],
  ['plain lines of a list', '- ‹One\n- Two›', toLines('unordered'), '‹One\nTwo›'],
  ['a quote', '‹›', toLines('quote'), '> ‹›'],
  ['a heading', 'One\nTw‹›o', toHeading(2), 'One\n## Tw‹›o'],
  ['another heading', '# O‹›ne', toHeading(3), '### O‹›ne'],
  ['a plain line of a heading', '### O‹›ne', toHeading(0), 'O‹›ne'],
  ['a link', 'See ‹th[is›', setLink('/a (b)'), 'See [th\\[is](/a%20%28b%29)‹›'],
  ['a linked address', '‹›', setLink('/a'), '[/a](/a)‹›'],
  ['a picture', 'a‹›', insertPicture('/a.png', 'A [b]'), 'a![A  b ](/a.png)‹›'],
  ['the next item', '1. One‹›', goOn, '1. One\n2. ‹›'],
  ['the next item of an inner list', '  - One‹›', goOn, '  - One\n  - ‹›'],
  ['the end of a list', '- One\n- ‹›', goOn, '- One\n‹›'],
  ['no item before the sign', '‹›- One', goOn, '‹›- One'],
])('%s', (_, before, change, after) => expect(changed(before, change)).toBe(after))

it('a line says what it is', () => {
  const look = (doc: string) => lookOf(EditorState.create({ doc }))
  expect(look('### One')).toEqual({ level: 3, kind: undefined })
  expect(look('2) Two')).toEqual({ level: 0, kind: 'ordered' })
})
