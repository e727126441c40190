import { useEffect, useState } from 'react'
import { type ScalarNode, sameJson } from '../../form/index.ts'
import { useEntry } from '../entry/context.ts'
import { useText } from '../text/index.ts'
import { Frame } from './frame.tsx'

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: text.trim() === '' ? null : JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Any value as JSON. A text that is none yet is kept in the field, and the entry is not saved with it. */
export function JsonField({ node }: { node: ScalarNode }) {
  const text = useText()
  const { form, mayWrite, unfinished } = useEntry()
  const [typed, setTyped] = useState(() => textOf(node.value))
  useEffect(() => {
    setTyped((present) => {
      const value = parsed(present)
      return value && !sameJson(value.value, node.value ?? null) ? textOf(node.value) : present
    })
  }, [node.value])
  const isValid = parsed(typed) !== undefined
  return (
    <Frame node={node} aside={text.json}>
      {(control) => (
        <>
          <textarea
            {...control}
            className="in code"
            spellCheck={false}
            readOnly={!mayWrite(node.key)}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
              const value = parsed(target.value)
              if (!value) return void unfinished.set(node.key, text.invalidJsonIs)
              unfinished.delete(node.key)
              form.set(node.key, value.value, { typing: true })
            }}
          />
          {!isValid && node.errors.length === 0 && <p className="hint">{text.invalidJson}</p>}
        </>
      )}
    </Frame>
  )
}
