import { type DragEvent, type KeyboardEvent, memo, useState } from 'react'
import { domId, useEntry, useNode, useOpen, useSummary } from '../entry/context.ts'
import { labelOfField, placeOf, summaryOf } from '../entry/labels.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { keepPart } from './clipboard.ts'
import { GroupFields } from './group.tsx'

/** The part that is being dragged. */
let dragged: string | undefined

interface PartProps {
  readonly partKey: string
  readonly index: number
  readonly count: number
  readonly isWritable: boolean
  /** The name of the parts of a list that has one kind only. */
  readonly singleName: string | undefined
}

/** A part of a list or zone: closed with a summary, and opened in place. */
export const Part = memo(function Part({ partKey, index, count, isWritable, singleName }: PartProps) {
  const text = useText()
  const { form, open } = useEntry()
  const { model } = useSession()
  const node = useNode(partKey)
  const { errors, overlaps } = useSummary(partKey)
  const isOpen = useOpen(partKey)
  const [isOver, setOver] = useState(false)
  const [told, setTold] = useState('')
  if (node?.kind !== 'group') return null
  const component = model.components.find(({ uid }) => uid === node.uid)
  const name = component?.name ?? labelOfField(node.uid)
  const id = domId(partKey)
  const label = `${name} ${index + 1}`
  const wrong = errors > 0 ? form.errors().find(({ key }) => key.startsWith(`${partKey}/`)) : undefined
  const summary = wrong
    ? `${placeOf(form, wrong.key).split(' / ').at(-1)} ${wrong.message}`
    : summaryOf(form, partKey, component) || text.emptyPart

  const move = (to: number) => {
    const place = Math.max(0, Math.min(count - 1, to))
    if (place === index) return
    form.move(partKey, place)
    setTold(text.movedPart(name, place + 1, count))
    // The part stays the same element, which loses the focus when it is moved in the document.
    requestAnimationFrame(() => document.getElementById(`${id}-grip`)?.focus())
  }
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(to)
  }
  const isSibling = dragged !== undefined && form.find(dragged)?.parent === node.parent
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (dragged !== undefined && dragged !== partKey && isSibling) form.move(dragged, index)
    dragged = undefined
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: parts are dragged here; the handle does it by keyboard
    <div
      className={`part${errors > 0 ? ' wrong' : ''}${isOver ? ' over' : ''}`}
      id={id}
      onDragOver={(event) => {
        if (dragged === undefined || form.find(dragged)?.parent !== node.parent) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <div className="part-head">
        {isWritable && (
          <button
            type="button"
            className="grip"
            id={`${id}-grip`}
            aria-label={text.movePart(label)}
            draggable
            onDragStart={(event) => {
              dragged = partKey
              event.dataTransfer.effectAllowed = 'move'
            }}
            onKeyDown={onKey}
          >
            ⋮⋮
          </button>
        )}
        <button
          type="button"
          className="part-open"
          aria-expanded={isOpen}
          onClick={() => open.set(partKey, !isOpen)}
        >
          <b>{singleName === undefined ? name : label}</b>
          {!isOpen && <span className={errors > 0 ? 'sum bad' : 'sum'}>{summary}</span>}
          <span className="mark" aria-hidden="true">
            {isOpen ? '▾' : '▸'}
          </span>
        </button>
      </div>
      <span className="hidden" role="status">
        {told}
      </span>
      {(isOpen || overlaps > 0) && (
        <div className="part-body">
          <GroupFields groupKey={partKey} />
          {isWritable && (
            <div className="row">
              <button type="button" className="button quiet small" onClick={() => keepPart(form.copied(partKey))}>
                {text.copyPart(name.toLowerCase())}
              </button>
              <button type="button" className="button quiet small danger" onClick={() => form.remove(partKey)}>
                {text.removePart(name.toLowerCase())}
              </button>
            </div>
          )}
        </div>
      )}
    </div>
  )
})
