import { useState } from 'react'
import type { RelationNode } from '../../form/index.ts'
import { Arriving } from '../contained.tsx'
import { useEntry } from '../entry/context.ts'
import { fileUid } from '../model.ts'
import { pageOf, Shown } from '../page.tsx'
import { may } from '../rights.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { Frame } from './frame.tsx'

const filePicker = pageOf(() => import('../media/file-picker.tsx'))

/** Files of the library. */
export function MediaField({ node }: { node: RelationNode }) {
  const text = useText()
  const { me } = useSession()
  const { form, mayWrite } = useEntry()
  const [isOpen, setOpen] = useState(false)
  const isWritable = mayWrite(node.key) && may(me, fileUid, 'read')
  const { many } = node.shape
  const { allowedTypes } = node.definition
  const kinds = Array.isArray(allowedTypes) ? allowedTypes.map(String) : undefined
  const [only] = node.items
  const picture = !many && only && String(only.attributes?.mime ?? '').startsWith('image/') ? only : undefined
  return (
    <Frame node={node} isGroup aside={many ? text.files(node.items.length) : undefined}>
      {() => (
        <>
          {picture && (
            <img
              className="picture"
              src={String(picture.attributes?.url ?? '')}
              alt={String(picture.attributes?.alternativeText ?? '')}
            />
          )}
          <ul className="chips">
            {node.items.map((item) => (
              <li key={item.id} className="chip">
                <span className="name">{String(item.attributes?.name ?? item.id)}</span>
                {isWritable && (
                  <button
                    type="button"
                    aria-label={text.unlink(String(item.attributes?.name ?? item.id))}
                    onClick={() => form.unlink(node.key, item.id)}
                  >
                    ×
                  </button>
                )}
              </li>
            ))}
          </ul>
          {isWritable && (
            <button type="button" className="button small" onClick={() => setOpen(true)}>
              {text.chooseFile}
            </button>
          )}
          {isOpen && (
            <Arriving name={text.library}>
              <Shown
                page={filePicker}
                props={{
                  kinds,
                  many,
                  onClose: () => setOpen(false),
                  onPick: (files) => {
                    for (const file of files) form.link(node.key, { id: file.id, attributes: { ...file } })
                    setOpen(false)
                  },
                }}
              />
            </Arriving>
          )}
        </>
      )}
    </Frame>
  )
}
