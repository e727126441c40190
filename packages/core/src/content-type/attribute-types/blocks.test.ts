import { describe, expect, it } from 'vitest'
import { InvalidValue } from '../attribute-type.ts'
import { blocks } from './blocks.ts'

const t = (text = 'x', marks: object = {}) => ({ type: 'text', text, ...marks })
const p = (...children: unknown[]) => ({ type: 'paragraph', children })
const link = (url: unknown, ...children: unknown[]) => ({ type: 'link', url, children })
const item = (...children: unknown[]) => ({ type: 'list-item', children })
const list = (...children: unknown[]) => ({ type: 'list', format: 'ordered', children })
const image = (keys: object) => ({ type: 'image', image: keys, children: [t('')] })

type Case = readonly [name: string, value: unknown]

const read = (value: unknown) => blocks.fromJson(value, { type: 'blocks' })

describe('rich text', () => {
  it.each<Case>([
    ['nothing', []],
    ['a paragraph', [p(t())]],
    ['an empty text', [p(t(''))]],
    [
      'text with all marks',
      [p(t('x', { bold: true, italic: true, underline: false, strikethrough: true, code: true }))],
    ],
    ...[1, 2, 3, 4, 5, 6].map(
      (level) => [`a heading ${level}`, [{ type: 'heading', level, children: [t()] }]] as const,
    ),
    [
      'a quote with a link',
      [{ type: 'quote', children: [t(), link('https://example.org/a?b#c', t()), t()] }],
    ],
    ['a relative link', [p(link('/a', t()))]],
    ['a link to a part', [p(link('#a', t()))]],
    ['a mail address', [p(link('mailto:a@b.co', t()))]],
    ['code', [{ type: 'code', language: 'ts', children: [t()] }]],
    ['a list', [list(item(t()), item(t(), link('/a', t())))]],
    ['an unordered list', [{ ...list(item(t())), format: 'unordered' }]],
    ['a list in a list', [list(item(t()), list(item(t())))]],
    ['an image', [image({ url: '/uploads/a.png', name: 'a', width: 1, alternativeText: null })]],
    ['keys that editors add', [{ ...list(item(t())), indentLevel: 0 }]],
  ])('accepts %s', (_, value) => {
    expect(read(value)).toBe(JSON.stringify(value))
  })

  it.each<readonly [...Case, where: string]>([
    ['a text in place of the list', 'x', 'a list'],
    ['an object in place of the list', p(t()), 'a list'],
    ['null', [null], '[0] an object'],
    ['a block without a type', [{ children: [t()] }], '[0] one of'],
    ['an unknown block', [{ type: 'table', children: [t()] }], '[0] one of'],
    ['a name of Object.prototype as type', [{ type: 'constructor', children: [t()] }], '[0] one of'],
    ['text outside of a block', [t()], '[0] one of'],
    ['a list item outside of a list', [item(t())], '[0] one of'],
    ['no children', [{ type: 'paragraph' }], '[0].children a list'],
    ['empty children', [p()], '[0].children at least one'],
    ['a block in a paragraph', [p(p(t()))], '[0].children[0] a text or link'],
    ['text that is a number', [p(t(5 as never))], '[0].children[0].text text'],
    ['a mark that is text', [p(t('x', { bold: 'yes' }))], '[0].children[0].bold true or false'],
    ['a heading 7', [{ type: 'heading', level: 7, children: [t()] }], '[0].level'],
    ['a heading "1"', [{ type: 'heading', level: '1', children: [t()] }], '[0].level'],
    ['a heading without level', [{ type: 'heading', children: [t()] }], '[0].level'],
    ['a list without format', [{ type: 'list', children: [item(t())] }], '[0].format'],
    ['a list of text', [list(t())], '[0].children[0] a list-item'],
    ['a link in code', [{ type: 'code', children: [link('/a', t())] }], '[0].children[0] a text node'],
    ['a link in a link', [p(link('/a', link('/b', t())))], '[0].children[0].children[0] a text node'],
    ['a link without url', [p(link(undefined, t()))], 'a JSON value'],
    ['a link to a number', [p(link(5, t()))], '[0].children[0].url'],
    ['a link to nothing', [p(link('', t()))], '[0].children[0].url'],
    ['a link to a word', [p(link('page', t()))], '[0].children[0].url'],
    ['a link that runs', [p(link('javascript:alert(1)', t()))], '[0].children[0].url'],
    ['a hidden link that runs', [p(link(' \u0001Java\tScript:alert(1)', t()))], '[0].children[0].url'],
    ['an image without image', [{ type: 'image', children: [t('')] }], '[0].image an object'],
    ['an image without url', [image({ name: 'a' })], '[0].image.url'],
    ['an image of a textual width', [image({ url: '/a', width: '1' })], '[0].image.width'],
    ['a NUL', [p(t('\0'))], 'NUL'],
  ])('refuses %s', (_, value, where) => {
    expect(() => read(value)).toThrow(InvalidValue)
    expect(() => read(value)).toThrow(where)
  })

  it('refuses a deep value without overflowing the stack', () => {
    let value: unknown = item(t())
    for (let i = 0; i < 50_000; i++) value = list(value)
    expect(() => read([value])).toThrow(InvalidValue)
  })
})
