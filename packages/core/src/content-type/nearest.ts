/** What was probably meant: the candidate that differs in the fewest letters, at most a third of them and at most 3. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  // No name is that long; the distance takes quadratic time.
  if (name.length > 200) return undefined
  let best: string | undefined
  let least = Math.min(3, Math.floor(name.length / 3) || 1) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** `; did you mean "author"?`, or what stands in `otherwise`. */
export function didYouMean(name: string, candidates: Iterable<string>, otherwise = ''): string {
  const best = nearest(name, candidates)
  return best === undefined ? otherwise : `; did you mean "${best}"?`
}

/** Letters to insert, delete or change. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
