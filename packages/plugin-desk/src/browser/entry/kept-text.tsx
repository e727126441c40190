import { type ReactNode, useId } from 'react'
import type { Fields, FieldValue } from '../../form/index.ts'
import { scalarWords } from '../fields/words.ts'
import { inWords } from '../model.ts'
import { type Texts, useText } from '../text/index.ts'
import { useClipboard } from '../use-clipboard.ts'

/** Changed fields to read, each with its place above it: `Sections 2 / Text`. The model may not have them any more. */
export function wordsOfFields(fields: Fields, text: Texts, place: readonly string[] = []): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    wordsOfField(value, text, [...place, inWords(name)]),
  )
}

function wordsOfField(value: FieldValue, text: Texts, place: readonly string[]): readonly string[] {
  const at = place.join(' / ')
  switch (value.kind) {
    case 'scalar': {
      const words = value.unfinished ?? scalarWords(value.value, '', text)
      return words === '' ? [] : [`${at}\n${words}`]
    }
    case 'relation': {
      const names = value.items.map(({ id, attributes = {} }) =>
        String(Object.values(attributes).find((one) => typeof one === 'string') ?? id),
      )
      return names.length === 0 ? [] : [`${at}\n${names.join('\n')}`]
    }
    case 'components':
      return value.items.flatMap(({ fields }, i) =>
        wordsOfFields(fields, text, [...place.slice(0, -1), `${place.at(-1)} ${i + 1}`]),
      )
  }
}

interface KeptTextProps {
  readonly words: readonly string[]
  /** Why the text is here. */
  readonly children: ReactNode
  readonly onDiscard: () => void
}

/** Text of the person that has no place in a form: to read, to copy, or to discard. */
export function KeptText({ words, children, onDiscard }: KeptTextProps) {
  const text = useText()
  const id = useId()
  const { toClipboard, isCopied } = useClipboard()
  const all = words.join('\n\n')
  return (
    <div className="note info kept">
      <span>{children}</span>
      <label className="hidden" htmlFor={id}>
        {text.whatYouTyped}
      </label>
      <textarea className="in" id={id} dir="auto" readOnly rows={4} value={all} />
      {toClipboard && (
        <button type="button" className="linked" onClick={() => toClipboard(all)}>
          {text.copySecret}
        </button>
      )}
      <button type="button" className="linked" onClick={onDiscard}>
        {text.discard}
      </button>
      <span role="status">{isCopied && text.copied}</span>
    </div>
  )
}
