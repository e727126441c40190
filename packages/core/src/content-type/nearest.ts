/** The nearest candidate by edit distance: at most a third of the letters (rounded up) and at most 3. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  // Names are shorter; the distance takes quadratic time.
  if (name === '' || name.length > 200) return undefined
  let best: string | undefined
  let least = Math.min(3, Math.ceil(name.length / 3)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    // A candidate must share at least one letter.
    if (distance < least && distance < name.length) [best, least] = [candidate, distance]
  }
  return best
}

/** `; did you mean "author"?`, or `otherwise`. */
export const didYouMean = (name: string, candidates: Iterable<string>, otherwise = ''): string =>
  hintOf(nearest(name, candidates), otherwise)

/** `; did you mean "author"?` for what was meant, or `otherwise`. */
export const hintOf = (meant: string | undefined, otherwise = ''): string =>
  meant === undefined ? otherwise : `; did you mean "${meant}"?`

interface Named {
  readonly uid: string
  readonly singularName: string
  readonly pluralName: string
}

/** The uid of the content-type that has the name in place of a uid, or the nearest uid, or one with the same end: `api::blog.author`. */
export function meantUid(name: string, contentTypes: ReadonlyMap<string, Named>): string | undefined {
  const named = (part: string): string | undefined =>
    [...contentTypes.values()].find(
      ({ singularName, pluralName }) => part === singularName || part === pluralName,
    )?.uid
  return named(name) ?? nearest(name, contentTypes.keys()) ?? named(endOf(name))
}

/** The nearest uid of a component, or one with the same end: `seo` for `shared.seo`. */
export function meantComponent(name: string, uids: Iterable<string>): string | undefined {
  const all = [...uids]
  return nearest(name, all) ?? all.find((uid) => endOf(uid) === endOf(name))
}

/** The name in a uid: `author` of `api::author.author`. */
const endOf = (uid: string): string =>
  uid.slice(Math.max(uid.lastIndexOf('.'), uid.lastIndexOf(':')) + 1).toLowerCase()

/** Letters to insert, delete, change, or swap with the next. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : Infinity
      next.push(Math.min(change, swap, at(row, j) + 1, at(next, j - 1) + 1))
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

const at = (row: readonly number[], i: number): number => row[i] ?? Infinity
