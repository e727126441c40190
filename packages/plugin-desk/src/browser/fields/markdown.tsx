import type { ReactNode } from 'react'
import type { ScalarNode } from '../../form/index.ts'
import { leadTo, useEntry, useLook } from '../entry/context.ts'
import { useText } from '../text/index.ts'
import { attributesOf, useFocusByLabel } from '../writing/element.ts'
import { useModule } from '../writing/use-module.ts'
import { type ControlProps, FieldNote, Frame } from './frame.tsx'

const load = () => import('../markdown/markdown-editor.tsx')

interface MarkdownFieldProps {
  readonly node: ScalarNode
  /** The field without the editor, when it cannot be loaded. */
  readonly plain: ReactNode
}

/** A text in Markdown. */
export function MarkdownField({ node, plain }: MarkdownFieldProps) {
  const text = useText()
  const module = useModule(load)
  if (module === 'failed') return <FieldNote value={text.writing.noEditor}>{plain}</FieldNote>
  const { maxLength } = node.definition
  const { length } = String(node.value ?? '')
  return (
    <Frame
      node={node}
      aside={typeof maxLength === 'number' ? text.ofCount(length, maxLength) : text.markdown}
    >
      {(control) =>
        module ? (
          <Markdown {...{ node, control }} Editor={module.default} />
        ) : (
          <div className="writing waiting">{text.loading}</div>
        )
      }
    </Frame>
  )
}

interface MarkdownProps {
  readonly node: ScalarNode
  readonly control: ControlProps
  readonly Editor: Awaited<ReturnType<typeof load>>['default']
}

function Markdown({ node, control, Editor }: MarkdownProps) {
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
      value={String(node.value ?? '')}
      placeholder={placeholder}
      readOnly={!mayWrite(node.key)}
      attributes={attributesOf(control, locale)}
      onWrite={(next, typing) => form.set(node.key, next === '' ? null : next, { typing })}
      onUndo={() => replay(form.undo())}
      onRedo={() => replay(form.redo())}
    />
  )
}
