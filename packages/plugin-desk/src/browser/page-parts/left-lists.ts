/** Where the way from an entry back to its list leads: to the search, the filters and the page that the person came from. */

const left = new Map<string, string>()

/** @param search Of the address of the list, as it is shown now. */
export const keepList = (route: string, search: string): void => void left.set(route, search)

/** The address of a list as this page has shown it last. */
export const addressOfList = (route: string): string => {
  const search = left.get(route) ?? ''
  return `/content/${route}${search === '' ? '' : `?${search}`}`
}
