import { useEffect, useState } from 'react'
import { type ScalarNode, sameJson } from '../../form/index.ts'
import { Frame } from '../field-frame/frame.tsx'
import { useEntry } from '../open-entry/context.ts'
import { useText } from '../text/index.ts'

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

/** Any value as JSON. The form keeps a text that is not valid JSON yet, and the entry is not saved with it. */
export function JsonField({ node }: { node: ScalarNode }) {
  const text = useText()
  const { form, mayWrite } = useEntry()
  const { key, value, unfinished } = node
  const [typed, setTyped] = useState(() => unfinished ?? textOf(value))
  // Undo and the changes of others come from outside; the spaces of a text with the same value stay as they are typed.
  useEffect(() => {
    setTyped((present) => {
      if (unfinished !== undefined) return unfinished
      const known = parsed(present)
      return known && sameJson(known.value, value ?? null) ? present : textOf(value)
    })
  }, [value, unfinished])
  const isValid = unfinished === undefined
  const mistake = useMistake(typed, isValid)
  return (
    <Frame node={node} aside={text.json}>
      {(control) => (
        <>
          <textarea
            {...control}
            className="in code"
            spellCheck={false}
            readOnly={!mayWrite(key)}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
              const next = parsed(target.value)
              if (next) form.set(key, next.value, { typing: true })
              else form.set(key, value, { typing: true }, target.value)
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
