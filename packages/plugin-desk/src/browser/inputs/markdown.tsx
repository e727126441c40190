import type { ReactNode } from 'react'
import type { ScalarNode } from '../../form/index.ts'
import { useText } from '../text/index.ts'
import { TextEditorField } from '../writing/text-editor.tsx'

const load = () => import('../markdown/markdown-editor.tsx')

interface MarkdownFieldProps {
  readonly node: ScalarNode
  /** The field without the editor, when it cannot be loaded. */
  readonly plain: ReactNode
}

/** A text in Markdown. */
export function MarkdownField({ node, plain }: MarkdownFieldProps) {
  const text = useText()
  const { maxLength } = node.definition
  const value = String(node.value ?? '')
  return (
    <TextEditorField
      {...{ node, load, plain, value }}
      stored={(written) => (written === '' ? null : written)}
      aside={typeof maxLength === 'number' ? text.ofCount(value.length, maxLength) : text.markdown}
    />
  )
}
