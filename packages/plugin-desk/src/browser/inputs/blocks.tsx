import { useState } from 'react'
import type { ScalarNode } from '../../form/index.ts'
import { TextEditorField } from '../writing/text-editor.tsx'
import { JsonField } from './json.tsx'

type Blocks = readonly unknown[] | null

const load = () => import('../blocks/blocks-editor.tsx')

/** A text of blocks. A value that is none, and any when the editor cannot be loaded, is JSON. */
export function BlocksField({ node }: { node: ScalarNode }) {
  const plain = <JsonField node={node} />
  const value: unknown = node.value ?? null
  // Unfinished JSON of a page without the editor is finished as JSON.
  const [isUnfinished] = useState(node.unfinished !== undefined)
  if (isUnfinished || (value !== null && !Array.isArray(value))) return plain
  return <TextEditorField<Blocks> {...{ node, load, plain, value }} stored={(blocks) => blocks} />
}
