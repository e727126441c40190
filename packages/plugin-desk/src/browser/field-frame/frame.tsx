import { createContext, type ReactNode, useContext } from 'react'
import type { FieldNode } from '../../form/index.ts'
import { mistakeIn } from '../model/mistake-words.ts'
import { domId, useEntry, useLook } from '../open-entry/context.ts'
import { Arriving } from '../page-parts/contained.tsx'
import { pageOf, Shown } from '../page-parts/page.tsx'
import { useText } from '../text/index.ts'
import { BesideView } from './value-beside.tsx'

const overlapView = pageOf(() => import('./overlap.tsx'))

/** The properties of each control of a field. */
export interface ControlProps {
  readonly id: string
  readonly 'aria-invalid': boolean | undefined
  readonly 'aria-describedby': string | undefined
  readonly 'aria-required': boolean | undefined
  /** The values are those of the content, and not of the person who writes it: browsers offer to fill in addresses by the labels of fields. */
  readonly autoComplete: 'off'
}

export interface FrameProps {
  readonly node: FieldNode
  /** Beside the label, such as `12 of 280`. */
  readonly aside?: ReactNode
  /** Whether the control is a group with a label of its own, and no element that a label can name. */
  readonly isGroup?: boolean
  readonly children: (control: ControlProps) => ReactNode
}

/** A sentence below a field besides its description, such as that its extension has failed. */
export const FieldNote = createContext<string | undefined>(undefined)

/** A label above a control, and its mistakes and conflicts below. */
export function Frame({ node, aside, isGroup = false, children }: FrameProps) {
  const text = useText()
  const entry = useEntry()
  const { mayWrite } = entry
  const id = domId(entry, node.key)
  const { label, description, place, readOnly } = useLook(node)
  const isWrong = node.errors.length > 0
  const isReadOnly = !mayWrite(node.key)
  const note = useContext(FieldNote)
  const hint = [description, note, isReadOnly ? (readOnly ? text.shownOnly : text.readOnly) : undefined]
    .filter(Boolean)
    .join(' ')
  const isRequired = node.definition.required === true
  const control: ControlProps = {
    id,
    'aria-invalid': isWrong || undefined,
    'aria-describedby': isWrong ? `${id}-error` : hint === '' ? undefined : `${id}-hint`,
    'aria-required': isRequired || undefined,
    autoComplete: 'off',
  }
  const words = (
    <>
      {label}
      {isRequired && (
        <span className="req" title={text.required}>
          *
        </span>
      )}
      {aside !== undefined && <span className="aside">{aside}</span>}
    </>
  )
  const below = (
    <>
      <BesideView node={node} />
      {isWrong && (
        <p className="error" id={`${id}-error`}>
          {node.errors.map((error) => mistakeIn(label, error, text)).join(' ')}
        </p>
      )}
      {hint !== '' && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Overlaps node={node} />
    </>
  )
  const classes = `field ${place}${isWrong ? ' wrong' : ''}`
  if (isGroup)
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a part of the grid in all browsers
      <div className={classes} id={id} role="group" aria-labelledby={`${id}-label`}>
        <div className="label" id={`${id}-label`}>
          {words}
        </div>
        {children(control)}
        {below}
      </div>
    )
  return (
    <div className={classes}>
      <label htmlFor={id} id={`${id}-label`}>
        {words}
      </label>
      {children(control)}
      {below}
    </div>
  )
}

/** The conflicts of a field. Their view is loaded when there is one: it finds the differences of texts. */
export function Overlaps({ node }: { node: FieldNode }) {
  const { label } = useLook(node)
  return (
    node.overlaps.length > 0 && (
      <Arriving name={label}>
        {node.overlaps.map((overlap) => (
          <Shown
            key={`${overlap.key} ${overlap.component ?? ''}`}
            page={overlapView}
            props={{ overlap, node }}
          />
        ))}
      </Arriving>
    )
  )
}
