import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('../page/', import.meta.url)

/** Declarations that name a side of the screen; a page that is written from right to left needs start and end. */
const sides: readonly RegExp[] = [
  /(?<![\w-])(?:(?:scroll-)?(?:margin|padding)|border|inset)-(?:left|right)(?:-\w+)?\s*:/,
  /(?<![\w-])(?:left|right)\s*:/,
  /(?<![\w-])border-(?:top|bottom)-(?:left|right)-radius\s*:/,
  /(?<![\w-])(?:text-align|float|clear)\s*:\s*(?:left|right)\b/,
]

const sidesIn = (style: string): readonly string[] =>
  style
    .replaceAll(/\/\*.*?\*\//gs, '')
    .split('\n')
    .filter((line) => sides.some((side) => side.test(line)))
    .map((line) => line.trim())

it('the style sheets name no left and no right side', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.css'))
  expect(names).toContain('desk.css')
  for (const name of names)
    expect([name, ...sidesIn(readFileSync(new URL(name, folder), 'utf8'))]).toEqual([name])
})

it('the style sheets give letters no size in pixels, which the text size of a browser would not change', () => {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.css'))) {
    const lines = readFileSync(new URL(name, folder), 'utf8').split('\n')
    const fixed = lines.filter((line) => /^\s*font(?:-size)?\s*:.*\dpx/.test(line))
    expect([name, ...fixed]).toEqual([name])
  }
})

it.each([
  'margin-left: 1px',
  'a{padding-right:0}',
  '  left: 0;',
  'inset-right: 0',
  'border-left-color: red',
  'border-top-left-radius: 2px',
  'scroll-margin-left: 1px',
  'text-align: right',
  'float:left',
])('%s names a side', (declaration) => {
  expect(sidesIn(declaration)).toHaveLength(1)
})

it.each(['margin-inline-start: 1px', 'inset-inline-end: 0', 'text-align: start', '/* left: 0 */'])(
  '%s names none',
  (declaration) => {
    expect(sidesIn(declaration)).toEqual([])
  },
)
