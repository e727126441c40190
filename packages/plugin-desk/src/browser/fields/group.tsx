import { useEntry, useNode } from '../open-entry/context.ts'
import { useShownFields } from '../open-entry/shown-fields.ts'

/** The fields of a component. */
export function GroupFields({ groupKey }: { groupKey: string }) {
  const { Field, isShown } = useEntry()
  const node = useNode(groupKey)
  const fields = useShownFields(groupKey)
  if (node?.kind !== 'group') return null
  return (
    <div className="grid">
      {fields
        .filter(([, key]) => isShown(key))
        .map(([, key]) => (
          <Field key={key} fieldKey={key} />
        ))}
    </div>
  )
}
