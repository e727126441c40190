import { useSession } from '../model/session.tsx'
import { domId, useEntry, useNode } from '../open-entry/context.ts'
import { lookOfNode } from '../open-entry/labels.ts'
import { CannotShow } from '../page-parts/contained.tsx'

interface FailedFieldProps {
  readonly fieldKey: string
  /** Draws the field once more. */
  readonly again: () => void
  /** Why it cannot be drawn. */
  readonly error: unknown
}

/** The place of a field that cannot be drawn. Its value stays as it is, and mistakes in it lead here. */
export function FailedField({ fieldKey, again, error }: FailedFieldProps) {
  const entry = useEntry()
  const { model } = useSession()
  const node = useNode(fieldKey)
  const { label, place } =
    node && node.kind !== 'group'
      ? lookOfNode(entry.form, model, node)
      : { label: fieldKey, place: undefined }
  return (
    <div className={`field ${place ?? ''}`} id={domId(entry, fieldKey)}>
      <div className="label">{label}</div>
      <CannotShow {...{ again, error }} name={label} />
    </div>
  )
}
