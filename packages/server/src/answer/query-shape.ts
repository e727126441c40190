/** Maximum characters of a shape in a log line. */
const longest = 2_000

/**
 * The filters and sorts of a query string, without the compared values, which may be private: `filters[email][$eq]=a@b.c&sort=name&x=1` → `filters[email][$eq]=*&sort=name`.
 * @param withOthers Whether the names of other parameters are in it, `&x=*`. Default false.
 */
export function queryShape(query: string, withOthers = false): string {
  const parts = query.split('&').flatMap((pair) => {
    if (pair.startsWith('sort')) return [pair]
    if (!withOthers && !pair.startsWith('filters')) return []
    if (pair === '') return []
    const end = pair.indexOf('=')
    return [`${end < 0 ? pair : pair.slice(0, end)}=*`]
  })
  return parts.join('&').slice(0, longest)
}
