/** Which addresses are those of one page: the page of a new entry goes on at the address of the stored one. */

const goneOn = new Map<string, string>()
let pagesOfNew = 0

/** The key of the page at an address. A page whose key stays is not drawn anew. @param address Without the search. */
export const pageKey = (address: string): string =>
  goneOn.get(address) ?? (address.endsWith('/new') ? `${address} ${pagesOfNew}` : address)

/** Says that the page of a new entry goes on at another address; the next new entry has a page of its own. */
export function goOnAt(from: string, address: string): void {
  goneOn.set(address, pageKey(from))
  pagesOfNew += 1
}
