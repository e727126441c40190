import { memo, useState } from 'react'
import { Grip, useDrop } from '../field-frame/order.tsx'
import { mistakeIn } from '../model/mistake-words.ts'
import { componentName } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { domId, useEntry, useMadeOf, useNode, useOpen, useSummary } from '../open-entry/context.ts'
import { placeOf, summaryOf } from '../open-entry/labels.ts'
import { whenFocusIsLost } from '../page-parts/focus-back.ts'
import { useText } from '../text/index.ts'
import { keepPart } from '../values/clipboard.ts'
import { GroupFields } from './group.tsx'

interface PartProps {
  readonly partKey: string
  readonly index: number
  readonly isWritable: boolean
  /** The name of the parts of a list that has one kind only. */
  readonly singleName: string | undefined
}

/** A part of a list or zone: closed with a summary, and opened in place. */
export const Part = memo(function Part({ partKey, index, isWritable, singleName }: PartProps) {
  const entry = useEntry()
  const { form } = entry
  const text = useText()
  const { model } = useSession()
  const node = useNode(partKey)
  const { errors, overlaps } = useSummary(partKey)
  const isOpen = useOpen(partKey)
  const at = { list: node?.kind === 'group' ? (node.parent ?? '') : '', item: partKey }
  const { isOver, handlers } = useDrop(at, (other) => form.move(other, index))
  const summary = useMadeOf(partKey, () => {
    if (isOpen) return ''
    const wrong = errors > 0 ? form.errors().find(({ key }) => key.startsWith(`${partKey}/`)) : undefined
    return wrong
      ? mistakeIn(placeOf(form, model, wrong.key).split(' / ').at(-1) ?? '', wrong.message, text)
      : summaryOf(form, partKey, model, text)
  })
  if (node?.kind !== 'group') return null
  const list = form.find(at.list)
  const kinds = list?.kind === 'components' ? list.shape.uids : []
  const name = componentName(model, node.uid, kinds)
  const isDrawn = isOpen || overlaps > 0
  // Half a date is in its input only, so the input stays in the page.
  const isKept = !isDrawn && entry.unfinished.isWithin(partKey)
  return (
    <div
      className={`part${errors > 0 ? ' wrong' : ''}${isOver ? ' over' : ''}`}
      id={domId(entry, partKey)}
      {...handlers}
    >
      <div className="part-head">
        {isWritable && (
          <Grip
            at={at}
            id={`${domId(entry, partKey)}-grip`}
            name={`${name} ${index + 1}`}
            onMove={(place) => form.move(partKey, place)}
          />
        )}
        <PartButton
          {...{ partKey, summary, isOpen }}
          name={singleName === undefined ? name : `${name} ${index + 1}`}
          isWrong={errors > 0}
        />
      </div>
      {(isDrawn || isKept) && (
        <div className="part-body" hidden={isKept}>
          <GroupFields groupKey={partKey} />
          {isWritable && <PartActions partKey={partKey} name={name.toLowerCase()} />}
        </div>
      )}
    </div>
  )
})

interface PartButtonProps {
  readonly partKey: string
  readonly name: string
  readonly summary: string
  readonly isOpen: boolean
  readonly isWrong: boolean
}

function PartButton({ partKey, name, summary, isOpen, isWrong }: PartButtonProps) {
  const text = useText()
  const { open } = useEntry()
  return (
    <button
      type="button"
      className="part-open"
      aria-expanded={isOpen}
      onClick={() => open.set(partKey, !isOpen)}
    >
      <b>{name}</b>
      {!isOpen && <span className={isWrong ? 'sum bad' : 'sum'}>{summary || text.emptyPart}</span>}
      <span className="mark" aria-hidden="true">
        {isOpen ? '▾' : '▸'}
      </span>
    </button>
  )
}

/** Removes a part. The focus goes to the one that takes its place, or to the one before, or to the button that inserts one. */
function removePart(entry: ReturnType<typeof useEntry>, partKey: string): void {
  const { form } = entry
  const part = form.find(partKey)
  const list = part?.kind === 'group' ? (part.parent ?? '') : ''
  const itemsOf = (): readonly string[] => {
    const node = form.find(list)
    return node?.kind === 'components' ? node.items : []
  }
  const index = itemsOf().indexOf(partKey)
  form.remove(partKey)
  whenFocusIsLost(() => {
    const items = itemsOf()
    const next = items[index] ?? items.at(-1)
    const element = document.getElementById(domId(entry, next ?? list))
    return element?.querySelector<HTMLElement>(next === undefined ? '.insert button' : '.part-open')
  })
}

function PartActions({ partKey, name }: { partKey: string; name: string }) {
  const text = useText()
  const { me } = useSession()
  const entry = useEntry()
  const { form, mayReplace } = entry
  const part = form.find(partKey)
  // A stored part would go with the values in it that the person may not write.
  const mayRemove = part?.kind === 'group' && (part.id === undefined || mayReplace(part.parent ?? ''))
  const [told, setTold] = useState('')
  const copy = () => {
    const unkept = keepPart(form.copied(partKey), me.person.id)
    setTold(unkept ? text.unkeptPart[unkept] : text.copiedPart)
  }
  return (
    <div className="row">
      <button type="button" className="button quiet small" onClick={copy}>
        {text.copyPart(name)}
      </button>
      {mayRemove && (
        <button
          type="button"
          className="button quiet small danger"
          onClick={() => removePart(entry, partKey)}
        >
          {text.removePart(name)}
        </button>
      )}
      <span className="told" role="status">
        {told}
      </span>
    </div>
  )
}
