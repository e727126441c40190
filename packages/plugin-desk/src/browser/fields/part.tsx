import { type DragEvent, type KeyboardEvent, memo, useState } from 'react'
import { domId, useEntry, useNode, useOpen, useSummary } from '../entry/context.ts'
import { placeOf, sentenceOf, summaryOf } from '../entry/labels.ts'
import { inWords } from '../model.ts'
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
  const { form } = useEntry()
  const { model } = useSession()
  const node = useNode(partKey)
  const { errors, overlaps } = useSummary(partKey)
  const isOpen = useOpen(partKey)
  const { isOver, handlers } = useDrop(partKey, index)
  if (node?.kind !== 'group') return null
  const component = model.components.find(({ uid }) => uid === node.uid)
  const name = component?.name ?? inWords(node.uid)
  const wrong = errors > 0 ? form.errors().find(({ key }) => key.startsWith(`${partKey}/`)) : undefined
  const summary = wrong
    ? sentenceOf(placeOf(form, model, wrong.key).split(' / ').at(-1) ?? '', wrong.message)
    : summaryOf(form, partKey, component)
  return (
    <div
      className={`part${errors > 0 ? ' wrong' : ''}${isOver ? ' over' : ''}`}
      id={domId(partKey)}
      {...handlers}
    >
      <div className="part-head">
        {isWritable && <Grip {...{ partKey, index, count, name }} />}
        <PartButton
          {...{ partKey, summary, isOpen }}
          name={singleName === undefined ? name : `${name} ${index + 1}`}
          isWrong={errors > 0}
        />
      </div>
      {(isOpen || overlaps > 0) && (
        <div className="part-body">
          <GroupFields groupKey={partKey} />
          {isWritable && <PartActions partKey={partKey} name={name.toLowerCase()} />}
        </div>
      )}
    </div>
  )
})

/** Takes parts of the same list that are dragged here. */
function useDrop(partKey: string, index: number) {
  const { form } = useEntry()
  const [isOver, setOver] = useState(false)
  const takes = () =>
    dragged !== undefined && dragged !== partKey && form.find(dragged)?.parent === form.find(partKey)?.parent
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!takes()) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!takes()) return
      event.preventDefault()
      setOver(false)
      form.move(dragged ?? '', index)
      dragged = undefined
    },
  }
  return { isOver, handlers }
}

interface GripProps {
  readonly partKey: string
  readonly index: number
  readonly count: number
  readonly name: string
}

/** The handle that moves a part: by dragging, and by the arrow keys. */
function Grip({ partKey, index, count, name }: GripProps) {
  const text = useText()
  const { form } = useEntry()
  const [told, setTold] = useState('')
  const id = `${domId(partKey)}-grip`
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const place = Math.max(0, Math.min(count - 1, to))
    if (place === index) return
    form.move(partKey, place)
    setTold(text.movedPart(name, place + 1, count))
    // An element that is moved in the document loses the focus.
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  return (
    <>
      <button
        type="button"
        className="grip"
        id={id}
        aria-label={text.movePart(`${name} ${index + 1}`)}
        draggable
        onDragStart={(event) => {
          dragged = partKey
          event.dataTransfer.effectAllowed = 'move'
        }}
        onKeyDown={onKey}
      >
        ⋮⋮
      </button>
      <span className="hidden" role="status">
        {told}
      </span>
    </>
  )
}

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

function PartActions({ partKey, name }: { partKey: string; name: string }) {
  const text = useText()
  const { form } = useEntry()
  return (
    <div className="row">
      <button type="button" className="button quiet small" onClick={() => keepPart(form.copied(partKey))}>
        {text.copyPart(name)}
      </button>
      <button type="button" className="button quiet small danger" onClick={() => form.remove(partKey)}>
        {text.removePart(name)}
      </button>
    </div>
  )
}
