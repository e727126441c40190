import { useEntry, useNode } from '../entry/context.ts'

/** The fields of a component. */
export function GroupFields({ groupKey }: { groupKey: string }) {
  const { Field } = useEntry()
  const node = useNode(groupKey)
  if (node?.kind !== 'group') return null
  return (
    <div className="grid">
      {Object.values(node.fields).map((key) => (
        <Field key={key} fieldKey={key} />
      ))}
    </div>
  )
}
