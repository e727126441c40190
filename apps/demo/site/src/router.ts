import { useEffect, useState } from 'preact/hooks'

/** The place of the visitor: a path below `/library`, and the parameters of the query. */
export interface Place {
  readonly path: string
  readonly params: URLSearchParams
}

const base = '/library'

const here = (): Place => ({
  path: location.pathname.slice(base.length).replace(/\/$/, '') || '/',
  params: new URLSearchParams(location.search),
})

/** Parameters that stay from page to page. */
const lasting = ['locale', 'preview']

/** The address of a page; an empty parameter is left out. */
export function address(path: string, place: Place, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(
    lasting.flatMap((name) => (place.params.has(name) ? [[name, place.params.get(name) ?? '']] : [])),
  )
  for (const [name, value] of Object.entries(params)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  return `${base}${path === '/' ? '' : path}${query.size > 0 ? `?${query}` : ''}`
}

/** The same page with other parameters. */
export const changed = (place: Place, params: Readonly<Record<string, string>>): string =>
  address(place.path, place, { ...Object.fromEntries(place.params), ...params })

/** Goes to an address of the site without loading the page again. */
export function go(to: string): void {
  history.pushState(null, '', to)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** The current place; links of the site change it without loading the page again. */
export function usePlace(): Place {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    const onMove = (): void => setPlace(here())
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const isPlain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (
        !link ||
        !isPlain ||
        link.origin !== location.origin ||
        !link.pathname.startsWith(base) ||
        link.hash
      )
        return
      event.preventDefault()
      go(link.href)
    }
    addEventListener('popstate', onMove)
    addEventListener('click', onClick)
    return () => {
      removeEventListener('popstate', onMove)
      removeEventListener('click', onClick)
    }
  }, [])
  return place
}
