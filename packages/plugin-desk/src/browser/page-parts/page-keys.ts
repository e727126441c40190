/** The keys of pages. A page may have several addresses: the page of a new entry continues at the address of the stored entry. */

const goneOn = new Map<string, string>()
let pagesOfNew = 0

/** The key of the page at an address. A page whose key stays is not drawn anew. @param address Without the search. */
export const pageKey = (address: string): string =>
  goneOn.get(address) ?? (address.endsWith('/new') ? `${address} ${pagesOfNew}` : address)

/** Continues the page of a new entry at another address; the next new entry has a page of its own. */
export function goOnAt(from: string, address: string): void {
  goneOn.set(address, pageKey(from))
  pagesOfNew += 1
}
