import { useRef, useState } from 'react'
import type { ComponentsNode, GroupValue } from '../../form/index.ts'
import { useSession } from '../model/session.tsx'
import { firstIn, leadTo, useEntry } from '../open-entry/context.ts'
import { Arriving } from '../page-parts/contained.tsx'
import { pageOf, Shown } from '../page-parts/page.tsx'
import { isPressed } from '../page-parts/pressed.ts'
import { useText } from '../text/index.ts'
import { keptPart } from '../values/clipboard.ts'

/** The most kinds of parts that are all shown at once; of more, one is searched for. */
const fewKinds = 12

const kindPicker = pageOf(() => import('./kind-picker.tsx'))

interface InsertProps {
  readonly node: ComponentsNode
  /** The components that can be inserted, by uid. */
  readonly kinds: readonly string[]
  readonly index: number
  readonly nameOf: (uid: string) => string
  readonly isLast?: boolean
}

/** The place between two parts at which one can be inserted. */
export function InsertPart({ node, kinds, index, nameOf, isLast = false }: InsertProps) {
  const text = useText()
  const entry = useEntry()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const { me } = useSession()
  // A copied part may have values that the person may not write here.
  const keptHere = () => (entry.mayReplace(node.key) ? keptPart(kinds, me.person.id) : undefined)
  const kept = isOpen ? keptHere() : undefined
  const insert = (given: string | GroupValue) => {
    setOpen(false)
    const key = entry.form.insert(node.key, given, index)
    entry.open.set(key, true)
    leadTo(entry, firstIn(entry, key))
  }
  const only = kinds.length === 1 ? kinds[0] : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the choice from each of its buttons
    <div
      className={isOpen ? 'insert open' : 'insert'}
      onKeyDown={(event) => {
        if (!isPressed(event, 'Escape') || !isOpen) return
        // A dialog around the entry stays open.
        event.preventDefault()
        setOpen(false)
        opener.current?.focus()
      }}
    >
      <button
        ref={opener}
        type="button"
        aria-label={isLast ? undefined : text.insertPart}
        aria-expanded={isOpen}
        onClick={() => (only !== undefined && !keptHere() ? insert(only) : setOpen(!isOpen))}
      >
        + {isLast && text.insertPart}
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields
        <div className="kinds" role="group" aria-label={text.insertKind}>
          {kinds.length > fewKinds ? (
            <Arriving name={text.insertKind}>
              <Shown page={kindPicker} props={{ kinds, nameOf, onChoose: insert }} />
            </Arriving>
          ) : (
            kinds.map((uid) => (
              <button key={uid} type="button" className="button small" onClick={() => insert(uid)}>
                {nameOf(uid)}
              </button>
            ))
          )}
          {kept && (
            <button type="button" className="button small" onClick={() => insert(kept)}>
              {text.pastePart(nameOf(kept.uid).toLowerCase())}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
