import type { ComponentType, ReactNode } from 'react'
import type { ScalarNode } from '../../form/index.ts'
import { type ControlProps, FieldNote, Frame } from '../field-frame/frame.tsx'
import { leadTo, useEntry, useLook } from '../open-entry/context.ts'
import { useText } from '../text/index.ts'
import { attributesOf, useFocusByLabel } from './element.ts'
import { useModule } from './use-module.ts'
import type { EditorParts } from './use-text-editor.ts'

/** The properties of an editor of texts. */
export interface TextEditorProps<Value> extends Omit<EditorParts<Value>, 'onLink' | 'onFiles'> {
  readonly id: string
}

interface TextEditorFieldProps<Value> {
  readonly node: ScalarNode
  /** Imports the editor; the same function at each call. */
  readonly load: () => Promise<{ readonly default: ComponentType<TextEditorProps<Value>> }>
  /** The value of the node for the editor. */
  readonly value: Value
  /** A value of the editor for the form. */
  readonly stored: (value: Value) => unknown
  /** The field without the editor, when it cannot be loaded. */
  readonly plain: ReactNode
  readonly aside?: ReactNode
}

/** A text whose editor is loaded with the first field that needs it. */
export function TextEditorField<Value>(props: TextEditorFieldProps<Value>) {
  const text = useText()
  const { node, load, plain, aside } = props
  const module = useModule(load)
  if (module === 'failed') return <FieldNote value={text.writing.noEditor}>{plain}</FieldNote>
  return (
    <Frame node={node} aside={aside}>
      {(control) =>
        module ? (
          <Loaded {...props} {...{ control }} Editor={module.default} />
        ) : (
          <div className="writing waiting">{text.loading}</div>
        )
      }
    </Frame>
  )
}

interface LoadedProps<Value> extends Pick<TextEditorFieldProps<Value>, 'node' | 'value' | 'stored'> {
  readonly control: ControlProps
  readonly Editor: ComponentType<TextEditorProps<Value>>
}

function Loaded<Value>({ node, control, value, stored, Editor }: LoadedProps<Value>) {
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
      onWrite={(next, typing) => form.set(node.key, stored(next), { typing })}
      onUndo={() => replay(form.undo())}
      onRedo={() => replay(form.redo())}
    />
  )
}
