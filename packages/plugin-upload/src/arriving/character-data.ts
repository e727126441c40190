/**
 * Removes comments and CDATA sections, such as the description of a KML place: an XML parser treats them as text. A regular expression of
 * whole sections would look for an end from each of many beginnings (S-32).
 */
export function withoutCharacterData(xml: string): string {
  const beginning = /<!--|<!\[CDATA\[/g
  const kept: string[] = []
  let from = 0
  for (let found = beginning.exec(xml); found; found = beginning.exec(xml)) {
    const close = found[0] === '<!--' ? '-->' : ']]>'
    const end = xml.indexOf(close, beginning.lastIndex)
    if (end === -1) break
    kept.push(xml.slice(from, found.index))
    from = end + close.length
    beginning.lastIndex = from
  }
  return kept.join('') + xml.slice(from)
}
