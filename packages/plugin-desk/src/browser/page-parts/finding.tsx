import { useState } from 'react'
import { useText } from '../text/index.ts'

/**
 * A field to find something in a long list by its name.
 *
 * @param address The page. The words are gone when another one is entered.
 */
export function useFinding(address: string) {
  const text = useText()
  const [typed, setTyped] = useState({ words: '', at: address })
  const words = typed.at === address ? typed.words : ''
  const fold = (label: string): string => label.trim().toLowerCase()
  return {
    isMeant: (label: string) => fold(label).includes(fold(words)),
    /** @param isEmpty Whether nothing is found. */
    field: (label: string, isEmpty: boolean) => (
      <>
        <input
          className="in"
          type="search"
          aria-label={label}
          placeholder={label}
          value={words}
          onChange={({ target }) => setTyped({ words: target.value, at: address })}
        />
        <p className="hint" role="status">
          {isEmpty && text.notFoundPick}
        </p>
      </>
    ),
  }
}
