import type { Command } from 'prosemirror-state'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { LibraryFile } from '../media/files.ts'
import { useText } from '../text/index.ts'
import { LinkRow } from '../writing/link-row.tsx'
import { addressOf, PicturePicker, usePictures } from '../writing/picture.tsx'
import type { TextEditorProps } from '../writing/text-editor.tsx'
import { Toolbar } from '../writing/toolbar.tsx'
import { insertPicture, removeLink, setLink } from './commands.ts'
import { asStep } from './keys.ts'
import { choiceOf, toolsOf } from './tools.ts'
import { showSelection, useBlocksEditor } from './use-editor.ts'

/** A text of blocks with its tools. */
export default function BlocksEditor({ id, ...parts }: TextEditorProps<readonly unknown[] | null>) {
  const text = useText()
  const place = useRef<HTMLDivElement>(null)
  const [isLinking, setLinking] = useState(false)
  const { picking, take, open, close, trouble } = usePictures(parts.value)
  const { view, look } = useBlocksEditor(place, {
    ...parts,
    onLink: () => setLinking(true),
    onFiles: take,
  })
  const run = (command: Command, byKeyboard: boolean): void => {
    const present = view.current
    if (!present) return
    asStep(command)(present.state, present.dispatch, present)
    if (!byKeyboard) present.focus()
  }
  useEffect(() => showSelection(view.current, isLinking), [view, isLinking])
  const endLink = (command?: Command): void => {
    setLinking(false)
    if (command) run(command, false)
    else view.current?.focus()
  }
  return (
    <div className="writing">
      {look && !parts.readOnly && (
        <Toolbar
          label={text.writing.formatting}
          controls={id}
          choice={choiceOf(look, text, run)}
          tools={toolsOf(look, text, run, {
            link: () => setLinking(true),
            picture: open,
          })}
        />
      )}
      {isLinking && (
        <LinkRow
          url={look?.link ?? ''}
          onLink={(url) => endLink(setLink(url))}
          onRemove={look?.link === undefined ? undefined : () => endLink(removeLink)}
          onClose={() => endLink()}
        />
      )}
      <div ref={place} />
      {trouble}
      {picking && (
        <PicturePicker
          given={picking}
          onClose={() => {
            close()
            view.current?.focus()
          }}
          onPick={(file) => {
            // A dialog that is still there would keep the focus from the text.
            flushSync(close)
            run(insertPicture(imageOf(file)), false)
          }}
        />
      )}
    </div>
  )
}

/** The attributes of a file that are stored in a picture of blocks. */
const stored = new Set(
  `name alternativeText url caption width height formats hash ext mime size previewUrl provider provider_metadata createdAt
   updatedAt`.split(/\s+/),
)

const imageOf = (file: LibraryFile): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(Object.entries(file).filter(([name]) => stored.has(name))),
  url: addressOf(file),
})
