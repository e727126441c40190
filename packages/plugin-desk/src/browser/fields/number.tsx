import { useEffect, useState } from 'react'
import type { ScalarNode } from '../../form/index.ts'
import { useEntry, useLook } from '../entry/context.ts'
import { Frame } from './frame.tsx'

/** The value that a text means: a number where one has exactly this value, otherwise the text, for the server to judge. */
function meaningOf(text: string, type: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const number = Number(trimmed)
  if (type === 'biginteger' || type === 'decimal' || !Number.isFinite(number)) return trimmed
  return type === 'integer' && !Number.isSafeInteger(number) ? trimmed : number
}

/** A number as it is typed. */
export function NumberField({ node }: { node: ScalarNode }) {
  const { form, mayWrite } = useEntry()
  const { placeholder } = useLook(node)
  const { type } = node.definition
  const [typed, setTyped] = useState(String(node.value ?? ''))
  // Undo and the changes of others come from outside; `1.0` stays as it is typed.
  useEffect(() => {
    setTyped((text) =>
      Object.is(meaningOf(text, type), node.value) || String(meaningOf(text, type)) === String(node.value)
        ? text
        : String(node.value ?? ''),
    )
  }, [node.value, type])
  return (
    <Frame node={node}>
      {(control) => (
        <input
          {...control}
          className="in"
          inputMode={type === 'integer' || type === 'biginteger' ? 'numeric' : 'decimal'}
          readOnly={!mayWrite(node.key)}
          placeholder={placeholder}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            form.set(node.key, meaningOf(target.value, type), { typing: true })
          }}
        />
      )}
    </Frame>
  )
}
