import { useState } from 'react'

/** The columns that the person has chosen on this device. */
export function useColumns(uid: string, usual: readonly string[]) {
  const key = `octavo-desk/columns/${uid}`
  const [chosen, setChosen] = useState<readonly string[]>(() => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
      return Array.isArray(stored) ? stored.map(String) : usual
    } catch {
      return usual
    }
  })
  const choose = (names: readonly string[]): void => {
    setChosen(names)
    localStorage.setItem(key, JSON.stringify(names))
  }
  return [chosen, choose] as const
}
