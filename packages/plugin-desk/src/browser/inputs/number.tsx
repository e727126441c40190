import { useEffect, useState } from 'react'
import type { ScalarNode } from '../../form/index.ts'
import { Frame } from '../field-frame/frame.tsx'
import { useEntry, useLook } from '../open-entry/context.ts'
import { useText } from '../text/index.ts'
import { plainNumber } from '../values/plain-number.ts'

/** The value that a text means: a number where one has exactly this value, otherwise the text, for the server to judge. */
function meaningOf(text: string, type: string, language: string): unknown {
  const trimmed = plainNumber(text, language)
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
  const { language } = useText()
  const [typed, setTyped] = useState(String(node.value ?? ''))
  // Undo and the changes of others come from outside; `1.0` stays as it is typed.
  useEffect(() => {
    setTyped((text) => {
      const meant = meaningOf(text, type, language)
      const isMeant = Object.is(meant, node.value) || String(meant) === String(node.value)
      return isMeant ? text : String(node.value ?? '')
    })
  }, [node.value, type, language])
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
            form.set(node.key, meaningOf(target.value, type, language), { typing: true })
          }}
        />
      )}
    </Frame>
  )
}
