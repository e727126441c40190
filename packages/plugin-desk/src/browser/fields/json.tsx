import { useEffect, useState } from 'react'
import { type ScalarNode, sameJson } from '../../form/index.ts'
import { useEntry } from '../entry/context.ts'
import { useForgetOnUnmount } from '../entry/unfinished.ts'
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

interface Place {
  readonly line: number
  readonly column: number
}

/** The first mistake of a text that is no JSON. The parser that finds it is loaded with the first mistake. */
async function mistakeIn(text: string): Promise<Place | undefined> {
  const { parse } = await import('jsonc-parser')
  const errors: { offset: number }[] = []
  parse(text, errors as never, { disallowComments: true })
  const [first] = errors
  if (!first) return undefined
  const lines = text.slice(0, first.offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** The place of the mistake in a text; `undefined` for JSON, and until the place is known. */
function useMistake(text: string, isValid: boolean): Place | undefined {
  const [found, setFound] = useState<{ readonly text: string; readonly place: Place | undefined }>()
  useEffect(() => {
    let isLeft = false
    if (isValid) return
    const show = (place: Place | undefined) => {
      if (!isLeft) setFound({ text, place })
    }
    mistakeIn(text).then(show, () => show(undefined))
    return () => {
      isLeft = true
    }
  }, [text, isValid])
  return !isValid && found?.text === text ? found.place : undefined
}

/** Any value as JSON. A text that is none yet is kept in the field, and the entry is not saved with it. */
export function JsonField({ node }: { node: ScalarNode }) {
  const text = useText()
  const { form, mayWrite, unfinished } = useEntry()
  useForgetOnUnmount(unfinished, node.key)
  const [typed, setTyped] = useState(() => textOf(node.value))
  useEffect(() => {
    setTyped((present) => {
      const value = parsed(present)
      return value && !sameJson(value.value, node.value ?? null) ? textOf(node.value) : present
    })
  }, [node.value])
  const isValid = parsed(typed) !== undefined
  const mistake = useMistake(typed, isValid)
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
          {!isValid && node.errors.length === 0 && (
            <p className="hint">
              {mistake ? text.invalidJsonAt(mistake.line, mistake.column) : text.invalidJson}
            </p>
          )}
        </>
      )}
    </Frame>
  )
}
