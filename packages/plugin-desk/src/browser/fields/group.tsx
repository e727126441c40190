import { useEntry, useNode } from '../entry/context.ts'
import { shownFields } from '../entry/labels.ts'
import { useSession } from '../session.tsx'

/** The fields of a component. */
export function GroupFields({ groupKey }: { groupKey: string }) {
  const { Field, form } = useEntry()
  const { model } = useSession()
  const node = useNode(groupKey)
  if (node?.kind !== 'group') return null
  return (
    <div className="grid">
      {shownFields(form, model, groupKey).map(([, key]) => (
        <Field key={key} fieldKey={key} />
      ))}
    </div>
  )
}
