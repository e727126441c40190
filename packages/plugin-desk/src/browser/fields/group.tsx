import { useEntry, useNode } from '../entry/context.ts'
import { shownFields } from '../entry/labels.ts'
import { useSession } from '../session.tsx'

/** The fields of a component. */
export function GroupFields({ groupKey }: { groupKey: string }) {
  const { Field, form, isShown } = useEntry()
  const { model } = useSession()
  const node = useNode(groupKey)
  if (node?.kind !== 'group') return null
  return (
    <div className="grid">
      {shownFields(form, model, groupKey)
        .filter(([, key]) => isShown(key))
        .map(([, key]) => (
          <Field key={key} fieldKey={key} />
        ))}
    </div>
  )
}
