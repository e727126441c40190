import { useCallback, useState } from 'react'
import type { RelationNode } from '../../form/index.ts'
import type { EntryData } from '../../wire/index.ts'
import { Frame } from '../field-frame/frame.tsx'
import { labelFieldOf } from '../model/layout.ts'
import { nounOf } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { domId, useEntry, useLook } from '../open-entry/context.ts'
import { Arriving } from '../page-parts/contained.tsx'
import { whenFocusIsLost } from '../page-parts/focus-back.ts'
import { Chip } from '../related/chip.tsx'
import { Picker } from '../related/picker.tsx'
import { useText } from '../text/index.ts'

/** The entry that is open over the page: one of the list, or a new one with a label. */
type Opened = { readonly id: number } | { readonly named: string }

/** The entries that an entry leads to, in their order, and a list to choose from. */
export default function RelationField({ node }: { node: RelationNode }) {
  const text = useText()
  const { me, model } = useSession()
  const entry = useEntry()
  const { form, mayWrite, Panel } = entry
  const [opened, setOpened] = useState<Opened>()
  const target = model.types.find(({ uid }) => uid === node.shape.target)
  const { label: name } = useLook(node)
  const owner = form.find(node.parent ?? '')
  const main =
    target && owner?.kind === 'group' ? labelFieldOf(model, owner.uid, node.name, target) : undefined
  const isWritable = mayWrite(node.key)
  const { many } = node.shape
  const mayRead = target !== undefined && may(me, target.uid, 'read')
  const open = useCallback((id: number) => setOpened({ id }), [])
  const close = () => {
    setOpened(undefined)
    // The dialog gives it back to what opened it, unless that is drawn anew since the entry was saved.
    whenFocusIsLost(() => {
      const field = document.getElementById(domId(entry, node.key))
      return field?.querySelector('input') ?? field?.querySelector('button')
    })
  }
  const take = (saved: EntryData) => {
    const linked = { id: saved.id, attributes: saved.attributes }
    if (node.items.some(({ id }) => id === saved.id)) form.relabel(node.key, linked)
    else form.link(node.key, linked)
  }
  return (
    <Frame node={node} isGroup aside={many && node.items.length > 1 ? text.inOrder : undefined}>
      {() => (
        <>
          <ol className={node.items.length > 12 ? 'chips long' : 'chips'}>
            {node.items.map((item) => (
              <Chip
                key={item.id}
                {...{ item, main, isWritable }}
                list={node.key}
                type={target}
                isOrdered={isWritable && many && node.items.length > 1}
                onOpen={mayRead && target.kind === 'collectionType' ? open : undefined}
              />
            ))}
          </ol>
          {!mayRead ? (
            <p className="hint">{text.noRight(name)}</p>
          ) : (
            isWritable &&
            (many || node.items.length === 0) && (
              <Picker
                key={node.items.length}
                {...{ node, name, main }}
                type={target}
                onCreate={(named) => setOpened({ named })}
              />
            )
          )}
          {opened && target && (
            <Arriving name={nounOf(target)}>
              <Panel
                type={target}
                id={'id' in opened ? opened.id : undefined}
                label={'named' in opened && main !== undefined ? { [main]: opened.named } : undefined}
                onSaved={take}
                onClose={close}
              />
            </Arriving>
          )}
        </>
      )}
    </Frame>
  )
}
