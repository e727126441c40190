import fc from 'fast-check'
import { Node } from 'prosemirror-model'
import { EditorState, TextSelection } from 'prosemirror-state'
import { describe, expect, it } from 'vitest'
import { safeAddress, typedAddress } from '../writing/address.ts'
import {
  blockAt,
  breakLine,
  indent,
  insertPicture,
  leaveList,
  linkAt,
  listAt,
  outdent,
  plainAtStart,
  removeLink,
  setLink,
  toBlock,
  toList,
} from './commands.ts'
import { readBlocks } from './read.ts'
import { replacing } from './replace.ts'
import { flags, schema } from './schema.ts'
import { wordsOf, writeBlocks } from './write.ts'

const unknownMembers = fc.dictionary(fc.constantFrom('id', 'color', 'align', 'data'), fc.jsonValue(), {
  maxKeys: 2,
  noNullPrototype: true,
})
const word = fc.oneof(fc.constant(''), fc.string({ maxLength: 8 }), fc.constantFrom('a', 'b\nc', '文字'))
const text = fc
  .tuple(word, fc.subarray([...flags]), fc.boolean(), unknownMembers)
  .map(([text, marks, on, more]) => ({
    type: 'text',
    text,
    ...Object.fromEntries(marks.map((flag) => [flag, on])),
    ...more,
  }))
const strange = fc.oneof(
  fc.jsonValue(),
  fc.record({ type: fc.constantFrom('mention', 'embed', 'list-item'), children: fc.array(text) }),
)
const link = fc
  .tuple(fc.webUrl(), fc.array(fc.oneof(text, strange), { maxLength: 3 }), unknownMembers)
  .map(([url, children, more]) => ({ type: 'link', url, children, ...more }))
const inline = fc.array(fc.oneof(text, text, link, strange), { maxLength: 4 })
const block = fc.letrec((tie) => ({
  block: fc.oneof(
    fc.tuple(fc.constantFrom('paragraph', 'quote'), inline, unknownMembers).map(([type, children, more]) => ({
      ...more,
      type,
      children,
    })),
    fc.record({ type: fc.constant('heading'), children: inline, level: fc.integer({ min: 0, max: 7 }) }),
    fc.record({ type: fc.constant('code'), language: fc.constant('sql'), children: fc.array(text) }),
    fc.record({ type: fc.constant('image'), image: fc.record({ url: fc.webUrl() }), children: inline }),
    tie('list'),
    strange,
  ),
  list: fc.record({
    type: fc.constant('list'),
    format: fc.constantFrom('ordered', 'unordered'),
    children: fc.array(
      fc.oneof(
        { maxDepth: 2 },
        fc.record({ type: fc.constant('list-item'), children: inline }),
        strange,
        tie('list'),
      ),
      { maxLength: 3 },
    ),
  }),
})).block
const value = fc.array(block, { maxLength: 5 })

const bytes = (json: unknown): string => JSON.stringify(json)

describe('blocks', () => {
  it('are written byte for byte as they were read, with everything that the editor does not know', () => {
    fc.assert(
      fc.property(value, (json) => {
        const doc = readBlocks(json)
        doc.check()
        expect(writeBlocks(doc)).toBe(json)
        // Nodes that are not the ones that were read, as after undo or a paste, are compared.
        expect(bytes(writeBlocks(Node.fromJSON(schema, doc.toJSON())))).toBe(bytes(json))
      }),
    )
  })

  it('keep all blocks but the one that is typed in', () => {
    fc.assert(
      fc.property(value, (json) => {
        const given = [
          { type: 'paragraph', id: 7, children: [{ type: 'text', text: 'ab', color: 'red' }] },
          ...json,
        ]
        const state = EditorState.create({ doc: readBlocks(given) })
        const [first, ...others] = writeBlocks(state.apply(state.tr.insertText('x', 2)).doc) as unknown[]
        expect(first).toEqual({
          type: 'paragraph',
          id: 7,
          children: [{ type: 'text', text: 'axb', color: 'red' }],
        })
        expect(others.every((one, i) => Object.is(one, json[i]))).toBe(true)
      }),
    )
  })

  it('become any other value that arrives from elsewhere', () => {
    fc.assert(
      fc.property(value, value, (mine, theirs) => {
        const state = EditorState.create({ doc: readBlocks(mine) })
        expect(bytes(writeBlocks(state.apply(replacing(state, theirs)).doc))).toBe(bytes(theirs))
      }),
    )
  })

  const paragraph = (...texts: readonly string[]) =>
    texts.map((text) => ({ type: 'paragraph', children: [{ type: 'text', text }] }))
  const stateAt = (json: readonly unknown[], position: number): EditorState => {
    const doc = readBlocks(json)
    return EditorState.create({ doc, selection: TextSelection.create(doc, position) })
  }
  const around = (state: EditorState): string =>
    `${state.selection.$head.parent.textContent}@${state.selection.$head.parentOffset}`

  it.each([
    ['the block before it changed', ['One and more', 'Two', 'Three'], 'Two@2'],
    ['both neighbours changed', ['One more', 'Two', 'Three more'], 'Two@2'],
    ['a block came before it', ['Zero', 'One', 'Two', 'Three'], 'Two@2'],
    ['its own end changed', ['One', 'Two more', 'Three'], 'Two more@2'],
  ])('leave the caret at its letter when %s', (_, texts, place) => {
    const state = stateAt(paragraph('One', 'Two', 'Three'), 8)
    expect(around(state)).toBe('Two@2')
    expect(around(state.apply(replacing(state, paragraph(...texts))))).toBe(place)
  })

  it('become null when they are emptied, and stay an empty list that they were', () => {
    const state = EditorState.create({ doc: readBlocks(paragraph('One')) })
    expect(writeBlocks(state.apply(state.tr.delete(1, 4)).doc)).toBeNull()
    expect(writeBlocks(readBlocks(null))).toBeNull()
    expect(writeBlocks(readBlocks([]))).toEqual([])
  })

  const run = (state: EditorState, command: ReturnType<typeof toList>): EditorState => {
    let next = state
    command(state, (tr) => {
      next = state.apply(tr)
    })
    return next
  }

  it('become lists, nested ones, and paragraphs again', () => {
    const item = (text: string) => ({ type: 'list-item', children: [{ type: 'text', text }] })
    const given = stateAt(paragraph('One', 'Two'), 8)
    const both = given.apply(given.tr.setSelection(TextSelection.create(given.doc, 2, 8)))
    const list = run(both, toList('ordered'))
    expect(writeBlocks(list.doc)).toEqual([
      { type: 'list', format: 'ordered', children: [item('One'), item('Two')] },
    ])
    const second = list.apply(list.tr.setSelection(TextSelection.create(list.doc, list.doc.content.size - 2)))
    const nested = run(second, indent)
    expect(writeBlocks(nested.doc)).toEqual([
      {
        type: 'list',
        format: 'ordered',
        children: [item('One'), { type: 'list', format: 'ordered', indentLevel: 1, children: [item('Two')] }],
      },
    ])
    const out = run(run(nested, outdent), outdent)
    expect(writeBlocks(out.doc)).toEqual([
      { type: 'list', format: 'ordered', children: [item('One')] },
      ...paragraph('Two'),
    ])
    expect(around(out)).toBe('Two@3')
  })

  it('keep unknown members when they become another type, and lose those of their type', () => {
    const given = stateAt(
      [{ type: 'heading', level: 1, align: 'end', children: [{ type: 'text', text: 'A' }] }],
      1,
    )
    expect(writeBlocks(run(given, toBlock('paragraph')).doc)).toEqual([
      { type: 'paragraph', align: 'end', children: [{ type: 'text', text: 'A' }] },
    ])
  })

  it('are linked, and one link is removed as a whole', () => {
    const given = stateAt(paragraph('One two'), 1)
    const chosen = given.apply(given.tr.setSelection(TextSelection.create(given.doc, 1, 4)))
    const linked = run(chosen, setLink('/one'))
    const json = [
      {
        type: 'paragraph',
        children: [
          { type: 'text', text: '' },
          { type: 'link', url: '/one', children: [{ type: 'text', text: 'One' }] },
          { type: 'text', text: ' two' },
        ],
      },
    ]
    expect(writeBlocks(linked.doc)).toEqual(json)
    const inside = linked.apply(linked.tr.setSelection(TextSelection.create(linked.doc, 2)))
    expect(linkAt(inside)).toBe('/one')
    expect(writeBlocks(run(inside, removeLink).doc)).toEqual(paragraph('One two'))
  })

  it('take a picture in the place of an empty paragraph, with a paragraph after it', () => {
    const state = run(stateAt(paragraph(''), 1), insertPicture({ url: '/a.png' }))
    expect(writeBlocks(state.doc)).toEqual([
      { type: 'image', image: { url: '/a.png' }, children: [{ type: 'text', text: '' }] },
      ...paragraph(''),
    ])
  })

  it('end a list at an empty item, and a heading at its beginning', () => {
    const list = run(stateAt(paragraph(''), 1), toList('unordered'))
    expect(listAt(list)).toBe('unordered')
    const left = run(list, leaveList)
    expect([listAt(left), blockAt(left)]).toEqual([undefined, 'paragraph'])
    const heading = run(stateAt(paragraph('One'), 1), toBlock('heading3'))
    expect(blockAt(heading)).toBe('heading3')
    expect(blockAt(run(heading, plainAtStart))).toBe('paragraph')
  })

  it('have line breaks within a block', () => {
    expect(writeBlocks(run(stateAt(paragraph('ab'), 2), breakLine).doc)).toEqual(paragraph('a\nb'))
  })

  it('have words for those who only read', () => {
    expect(wordsOf(paragraph('One', 'Two'))).toBe('One\nTwo')
  })
})

describe('An address', () => {
  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JAVASCRIPT:x',
    'data:text/html,x',
    'vbscript:x',
    'x',
  ])('%s is refused', (text) => expect(safeAddress(text)).toBeUndefined())
  it.each([
    ['example.org/a?b=1', 'https://example.org/a?b=1'],
    ['ada@example.org', 'mailto:ada@example.org'],
    ['/about', '/about'],
    ['#top', '#top'],
    ['https://example.org', 'https://example.org'],
    ['javascript:alert(1).com', undefined],
  ])('%s is completed', (typed, address) => expect(typedAddress(typed)).toBe(address))
})
