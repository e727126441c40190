import type { ComponentsNode } from '../../form/index.ts'
import { Frame } from '../field-frame/frame.tsx'
import { componentName } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { domId, firstIn, leadTo, useEntry, useLook } from '../open-entry/context.ts'
import { whenFocusIsLost } from '../page-parts/focus-back.ts'
import { useText } from '../text/index.ts'
import { GroupFields } from './group.tsx'
import { InsertPart } from './insert.tsx'
import { Part } from './part.tsx'

/** A component, a list of them, or a zone: single ones in a frame, lists as an outline of closed parts. */
export function ComponentsField({ node }: { node: ComponentsNode }) {
  return node.shape.many ? <Outline node={node} /> : <Single node={node} />
}

function Single({ node }: { node: ComponentsNode }) {
  const text = useText()
  const entry = useEntry()
  const { form, mayWrite, mayReplace, mayAdd } = entry
  const [item] = node.items
  const [uid = ''] = node.shape.uids
  const add = () => leadTo(entry, firstIn(entry, form.insert(node.key, uid)))
  const remove = (part: string) => {
    form.remove(part)
    whenFocusIsLost(() => document.getElementById(domId(entry, node.key))?.querySelector('button'))
  }
  const isWritable = mayWrite(node.key)
  const part = item === undefined ? undefined : form.find(item)
  // A stored part would go with the values in it that the person may not write.
  const mayRemove = part?.kind === 'group' && (part.id === undefined || mayReplace(node.key))
  const { label: name } = useLook(node)
  return (
    <Frame node={node} isGroup>
      {() =>
        item === undefined ? (
          mayAdd(node.key, uid) && (
            <button type="button" className="button" onClick={add}>
              {text.addPart(name.toLowerCase())}
            </button>
          )
        ) : (
          <div className="group">
            <GroupFields groupKey={item} />
            {isWritable && mayRemove && node.definition.required !== true && (
              <button type="button" className="button quiet small" onClick={() => remove(item)}>
                {text.removePart(name.toLowerCase())}
              </button>
            )}
          </div>
        )
      }
    </Frame>
  )
}

function Outline({ node }: { node: ComponentsNode }) {
  const text = useText()
  const { mayWrite, mayAdd } = useEntry()
  const { model } = useSession()
  const isWritable = mayWrite(node.key)
  const kinds = node.shape.uids.filter((uid) => mayAdd(node.key, uid))
  const nameOf = (uid: string): string => componentName(model, uid, node.shape.uids)
  const { max } = node.definition
  const isFull = typeof max === 'number' && node.items.length >= max
  const insert = { node, kinds, nameOf }
  const takesMore = kinds.length > 0 && !isFull
  return (
    <Frame node={node} isGroup aside={text.parts(node.items.length)}>
      {() => (
        <>
          {node.items.length > 1 && <OpenAll node={node} />}
          <ol className={node.items.length > 12 ? 'zone long' : 'zone'}>
            {node.items.map((item, i) => (
              <li key={item}>
                {takesMore && <InsertPart {...insert} index={i} />}
                <Part
                  partKey={item}
                  index={i}
                  isWritable={isWritable}
                  singleName={node.shape.zone ? undefined : nameOf(node.shape.uids[0] ?? '')}
                />
              </li>
            ))}
            {takesMore && (
              <li>
                <InsertPart {...insert} index={node.items.length} isLast />
              </li>
            )}
          </ol>
        </>
      )}
    </Frame>
  )
}

/** Buttons that open and close all parts at once. */
function OpenAll({ node }: { node: ComponentsNode }) {
  const text = useText()
  const { open } = useEntry()
  const setAll = (isOpen: boolean) => () => {
    for (const item of node.items) open.set(item, isOpen)
  }
  return (
    <div className="zone-tools">
      <button type="button" className="button quiet small" onClick={setAll(true)}>
        {text.openAll}
      </button>
      <button type="button" className="button quiet small" onClick={setAll(false)}>
        {text.closeAll}
      </button>
    </div>
  )
}
