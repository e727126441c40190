import { useNode } from '../entry/context.ts'
import { FieldView } from './field.tsx'

/** The fields of a component. */
export function GroupFields({ groupKey }: { groupKey: string }) {
  const node = useNode(groupKey)
  if (node?.kind !== 'group') return null
  return (
    <div className="grid">
      {Object.values(node.fields).map((key) => (
        <FieldView key={key} fieldKey={key} />
      ))}
    </div>
  )
}
