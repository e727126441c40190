import type { ScalarNode } from '../../form/index.ts'
import { leadTo, useEntry, useLook } from '../entry/context.ts'
import { useText } from '../text/index.ts'
import { attributesOf, useFocusByLabel } from '../writing/element.ts'
import { useModule } from '../writing/use-module.ts'
import { type ControlProps, FieldNote, Frame } from './frame.tsx'
import { JsonField } from './json.tsx'

const load = () => import('../blocks/blocks-editor.tsx')

/** A text of blocks. A value that is none, and any when the editor cannot be loaded, is JSON. */
export function BlocksField({ node }: { node: ScalarNode }) {
  const text = useText()
  const module = useModule(load)
  const { value } = node
  if (module === 'failed')
    return (
      <FieldNote value={text.writing.noEditor}>
        <JsonField node={node} />
      </FieldNote>
    )
  if (value !== null && value !== undefined && !Array.isArray(value)) return <JsonField node={node} />
  return (
    <Frame node={node}>
      {(control) =>
        module ? (
          <Blocks {...{ node, control }} value={value ?? null} Editor={module.default} />
        ) : (
          <div className="writing waiting">{text.loading}</div>
        )
      }
    </Frame>
  )
}

interface BlocksProps {
  readonly node: ScalarNode
  readonly control: ControlProps
  readonly value: readonly unknown[] | null
  readonly Editor: Awaited<ReturnType<typeof load>>['default']
}

function Blocks({ node, control, value, Editor }: BlocksProps) {
  const entry = useEntry()
  const { form, mayWrite, locale } = entry
  const { placeholder } = useLook(node)
  useFocusByLabel(control.id)
  const replay = (key: string | undefined): void => {
    if (key !== undefined && key !== node.key) leadTo(entry, key)
  }
  return (
    <Editor
      id={control.id}
      {...{ value, placeholder }}
      readOnly={!mayWrite(node.key)}
      attributes={attributesOf(control, locale)}
      onWrite={(next, typing) => form.set(node.key, next, { typing })}
      onUndo={() => replay(form.undo())}
      onRedo={() => replay(form.redo())}
    />
  )
}
