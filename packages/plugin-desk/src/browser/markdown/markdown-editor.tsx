import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Texts, useText } from '../text/index.ts'
import { LinkRow } from '../writing/link-row.tsx'
import { addressOf, PicturePicker, usePictures } from '../writing/picture.tsx'
import type { TextEditorProps } from '../writing/text-editor.tsx'
import { mod, type Tool, Toolbar } from '../writing/toolbar.tsx'
import { type Change, insertPicture, type Look, setLink, toHeading, toLines, wrap } from './commands.ts'
import { Preview } from './preview.tsx'
import { run, useMarkdownEditor } from './use-editor.ts'

/** The state of the tools before the editor is there. */
const paragraph: Look = { level: 0, kind: undefined }

/** A text in Markdown with its tools and a preview. */
export default function MarkdownEditor({ id, ...parts }: TextEditorProps<string>) {
  const text = useText()
  const place = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<'link' | 'preview'>()
  const pictures = usePictures(parts.value)
  const { view, look = paragraph } = useMarkdownEditor(place, {
    ...parts,
    onLink: () => setOpen('link'),
    onFiles: pictures.take,
  })
  const act = (change: Change | undefined, byKeyboard = false): void => {
    const present = view.current
    if (!present) return
    if (change) run(present, change)
    if (!byKeyboard) present.focus()
  }
  const close = (change?: Change): void => {
    // A dialog that is still there would keep the focus from the text.
    flushSync(() => {
      setOpen(undefined)
      pictures.close()
    })
    act(change)
  }
  const isPreview = open === 'preview'
  const preview: Tool = {
    name: 'preview',
    label: text.writing.preview,
    pressed: isPreview,
    run: () => setOpen(isPreview ? undefined : 'preview'),
  }
  const tools = toolsOf(look, text, act, {
    link: () => setOpen('link'),
    picture: pictures.open,
  })
  const { heading, kindOfBlock, formatting } = text.writing
  const levels = [1, 2, 3, 4, 5, 6].map((level) => [String(level), heading(level)] as const)
  return (
    <div className="writing">
      <Toolbar
        label={formatting}
        controls={id}
        {...(!isPreview &&
          !parts.readOnly && {
            choice: {
              ...{ name: 'kind', label: kindOfBlock, value: String(look.level) },
              options: [['0', text.writing.paragraph] as const, ...levels],
              run: (level: string, byKeyboard: boolean) => act(toHeading(Number(level)), byKeyboard),
            },
          })}
        tools={isPreview || parts.readOnly ? [preview] : [...tools, preview]}
      />
      {open === 'link' && <LinkRow url="" onLink={(url) => close(setLink(url))} onClose={() => close()} />}
      <div ref={place} hidden={isPreview} />
      {isPreview && <Preview value={parts.value} />}
      {pictures.trouble}
      {pictures.picking && (
        <PicturePicker
          given={pictures.picking}
          onClose={() => close()}
          onPick={(file) => close(insertPicture(addressOf(file), file.alternativeText ?? ''))}
        />
      )}
    </div>
  )
}

interface Others {
  readonly link: () => void
  /** `undefined` where the person may not choose files. */
  readonly picture: (() => void) | undefined
}

const marks = [
  ['bold', 'B', '**'],
  ['italic', 'I', '_'],
  ['strikethrough', 'Shift+X', '~~'],
  ['code', 'E', '`'],
] as const

const kinds = [
  ['unordered', 'list', '8'],
  ['ordered', 'numberedList', '7'],
  ['quote', 'quote', '9'],
] as const

type Act = (change: Change, byKeyboard: boolean) => void

const toolsOf = (
  look: Look,
  { writing: text }: Texts,
  act: Act,
  { link, picture }: Others,
): readonly Tool[] => [
  ...marks.map(([name, keys, sign]) => ({
    name,
    label: text[name],
    ...(name !== 'code' && { sign: [...text[name]][0] }),
    keys: `${mod}+${keys}`,
    run: (byKeyboard: boolean) => act(wrap(sign), byKeyboard),
  })),
  { name: 'link', label: text.link, keys: `${mod}+K`, run: link },
  ...kinds.map(([name, label, key]) => ({
    name,
    label: text[label],
    keys: `${mod}+Shift+${key}`,
    pressed: look.kind === name,
    run: (byKeyboard: boolean) => act(toLines(name), byKeyboard),
  })),
  ...(picture ? [{ name: 'picture', label: text.picture, run: picture }] : []),
]
