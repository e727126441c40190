/** The tools above a text of blocks. */
import type { Command } from 'prosemirror-state'
import type { Texts } from '../text/index.ts'
import { mod, type Tool, type ToolChoice } from '../writing/toolbar.tsx'
import { indent, outdent, toBlock, toList } from './commands.ts'
import { toggle } from './keys.ts'
import type { Look } from './look.ts'

type Run = (command: Command, byKeyboard: boolean) => void

export function choiceOf(look: Look, { writing: text }: Texts, run: Run): ToolChoice {
  const headings = [1, 2, 3, 4, 5, 6].map((level) => [`heading${level}`, text.heading(level)] as const)
  return {
    name: 'kind',
    label: text.kindOfBlock,
    value: look.block,
    options: [
      ...(look.block === '' ? [['', look.list === '' ? text.otherBlock : text.list] as const] : []),
      ['paragraph', text.paragraph],
      ...headings,
      ['quote', text.quote],
      ['code_block', text.codeBlock],
    ],
    run: (value, byKeyboard) => {
      if (value !== '') run(toBlock(value as 'paragraph'), byKeyboard) // one of the options above
    },
  }
}

interface Others {
  readonly link: () => void
  /** `undefined` where the person may not choose files. */
  readonly picture: (() => void) | undefined
}

const markTools = [
  { name: 'bold', keys: 'B' },
  { name: 'italic', keys: 'I' },
  { name: 'underline', keys: 'U' },
  { name: 'strikethrough', keys: 'Shift+X' },
  { name: 'code', keys: 'E' },
] as const

export function toolsOf(
  look: Look,
  { writing: text }: Texts,
  run: Run,
  { link, picture }: Others,
): readonly Tool[] {
  const does = (command: Command) => (byKeyboard: boolean) => run(command, byKeyboard)
  const marks = look.marks.split(' ')
  const list = (format: 'ordered' | 'unordered', label: string, key: string): Tool => ({
    name: format,
    label,
    keys: `${mod}+Shift+${key}`,
    pressed: look.list === format,
    run: does(toList(format)),
  })
  return [
    ...markTools.map(({ name, keys }): Tool => {
      const label = text[name]
      return {
        name,
        label,
        // The first letter, in the style that it gives; code has its word.
        ...(name !== 'code' && { sign: [...label][0] }),
        keys: `${mod}+${keys}`,
        pressed: marks.includes(name),
        run: does(toggle(name)),
      }
    }),
    { name: 'link', label: text.link, keys: `${mod}+K`, pressed: look.link !== undefined, run: link },
    list('unordered', text.list, '8'),
    list('ordered', text.numberedList, '7'),
    ...(look.list === ''
      ? []
      : [
          {
            name: 'indent',
            label: text.indent,
            keys: `${mod}+]`,
            disabled: !look.mayIndent,
            run: does(indent),
          },
          {
            name: 'outdent',
            label: text.outdent,
            keys: `${mod}+[`,
            disabled: !look.mayOutdent,
            run: does(outdent),
          },
        ]),
    {
      name: 'quote',
      label: text.quote,
      keys: `${mod}+Shift+9`,
      pressed: look.block === 'quote',
      run: does(toBlock(look.block === 'quote' ? 'paragraph' : 'quote')),
    },
    ...(picture ? [{ name: 'picture', label: text.picture, run: picture }] : []),
  ]
}
