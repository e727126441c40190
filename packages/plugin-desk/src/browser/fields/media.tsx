import { useState } from 'react'
import type { Linked, RelationNode } from '../../form/index.ts'
import { Frame } from '../field-frame/frame.tsx'
import { Grip, useDrop } from '../field-frame/order.tsx'
import { fileUid } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { domId, useEntry } from '../open-entry/context.ts'
import { Arriving } from '../page-parts/contained.tsx'
import { whenFocusIsLost } from '../page-parts/focus-back.ts'
import { pageOf, Shown } from '../page-parts/page.tsx'
import { useText } from '../text/index.ts'
import { isShown } from '../values/pictures.ts'

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
  const picture = !many && only && isShown(only.attributes?.mime) ? only : undefined
  const List = many ? 'ol' : 'ul'
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
          <List className="chips">
            {node.items.map((item, index) => (
              <FileChip key={item.id} {...{ item, index, isWritable }} node={node} />
            ))}
          </List>
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
                    form.transaction(() => {
                      for (const file of files) form.link(node.key, { id: file.id, attributes: { ...file } })
                    })
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

interface FileChipProps {
  readonly node: RelationNode
  readonly item: Linked
  readonly index: number
  readonly isWritable: boolean
}

/** A file of the field. The files of a list have an order. */
function FileChip({ node, item, index, isWritable }: FileChipProps) {
  const text = useText()
  const entry = useEntry()
  const { form } = entry
  const list = node.key
  const count = node.items.length
  const at = { list, item: item.id }
  const { isOver, handlers } = useDrop(at, (id) => form.moveLink(list, id, index))
  const name = String(item.attributes?.name ?? item.id)
  const unlink = () => {
    form.unlink(list, item.id)
    whenFocusIsLost(() => document.getElementById(domId(entry, list))?.querySelector<HTMLElement>('.button'))
  }
  return (
    <li className={isOver ? 'chip over' : 'chip'} {...handlers}>
      {isWritable && count > 1 && (
        <Grip
          {...{ at, name }}
          id={`${domId(entry, list)}-grip-${item.id}`}
          onMove={(place) => form.moveLink(list, item.id, place)}
        />
      )}
      <span className="name">{name}</span>
      {isWritable && (
        <button type="button" aria-label={text.unlink(name)} onClick={unlink}>
          ×
        </button>
      )}
    </li>
  )
}
