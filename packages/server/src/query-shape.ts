/** Characters of a shape in a log line. */
const longest = 2_000

/**
 * What a query string filters and sorts by, without the values that it compares with, which are nobody's but the
 * client's: `filters[email][$eq]=a@b.c&sort=name&x=1` → `filters[email][$eq]=*&sort=name`.
 */
export function queryShape(query: string): string {
  const parts = query.split('&').flatMap((pair) => {
    if (pair.startsWith('sort')) return [pair]
    if (!pair.startsWith('filters')) return []
    const end = pair.indexOf('=')
    return [`${end < 0 ? pair : pair.slice(0, end)}=*`]
  })
  return parts.join('&').slice(0, longest)
}
