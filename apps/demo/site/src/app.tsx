import { isOctavoError } from '@octavo/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from './api.ts'
import type { Page, View } from './page.ts'
import { book } from './pages/book.tsx'
import { catalogue } from './pages/catalogue.tsx'
import { home } from './pages/home.tsx'
import { login } from './pages/login.tsx'
import { address, changed, type Place, usePlace } from './router.ts'
import { localeOf, locales, wordsOf } from './words.ts'

interface Loaded {
  readonly key: string
  /** `undefined` when the page could not be loaded. */
  readonly show?: (place: Place) => View
  readonly error?: unknown
}

function pageOf(place: Place, onLogin: () => void): Page | undefined {
  const id = /^\/books\/(\d+)$/.exec(place.path)?.[1]
  if (id !== undefined) return book(place, Number(id))
  if (place.path === '/') return home(place)
  if (place.path === '/books') return catalogue(place)
  return place.path === '/login' ? login(onLogin) : undefined
}

export function App() {
  const place = usePlace()
  const [isUser, setIsUser] = useState(() => localStorage.getItem('library') !== null)
  const [loaded, setLoaded] = useState<Loaded>()
  const [attempt, setAttempt] = useState(0)
  const page = pageOf(place, () => setIsUser(true))
  const key = `${page?.key} ${isUser} ${attempt}`
  const main = useRef<HTMLElement>(null)
  const words = wordsOf(place.params)

  // The key stands for the page.
  useEffect(() => {
    const controller = new AbortController()
    page
      ?.load(controller.signal)
      .then((show) => setLoaded({ key, show }))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setLoaded({ key, error })
      })
    return () => controller.abort()
  }, [key])

  const isCurrent = loaded?.key === key
  const isMissing = !page || (isCurrent && isOctavoError(loaded.error, 'NotFoundError'))
  const view = isCurrent ? loaded.show?.(place) : undefined
  const title = isMissing ? words.missing : (view?.title ?? words.loading)
  useEffect(() => {
    document.title = title === words.title ? title : `${title} · ${words.title}`
    document.documentElement.lang = localeOf(place.params)
  })
  // A new page begins at its heading, also for screen readers; the first one begins where the browser does.
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isCurrent) return
    if (!isFirst.current) {
      scrollTo(0, 0)
      main.current?.querySelector('h1')?.focus({ preventScroll: true })
    }
    isFirst.current = false
  }, [key, isCurrent])

  const logout = async (): Promise<void> => {
    await api.auth.logout()
    setIsUser(false)
  }
  return (
    <>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="top">
        <a class="brand" href={address('/', place)}>
          {words.title}
        </a>
        <nav aria-label={words.books}>
          <a href={address('/books', place)} aria-current={place.path === '/books' ? 'page' : undefined}>
            {words.books}
          </a>
          {isUser && (
            <a href={changed(place, { preview: place.params.has('preview') ? '' : '1' })}>
              {place.params.has('preview') ? words.noDrafts : words.drafts}
            </a>
          )}
          {isUser ? (
            <button type="button" class="link" onClick={() => void logout()}>
              {words.logout}
            </button>
          ) : (
            <a href={address('/login', place)} aria-current={place.path === '/login' ? 'page' : undefined}>
              {words.login}
            </a>
          )}
        </nav>
        <nav aria-label={words.language} class="languages">
          {Object.entries(locales).map(([code, name]) => (
            <a
              key={code}
              lang={code}
              hreflang={code}
              href={changed(place, { locale: code === 'en' ? '' : code })}
              aria-current={localeOf(place.params) === code ? 'true' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1} aria-busy={!isCurrent && !isMissing}>
        {isMissing && <h1 tabIndex={-1}>{words.missing}</h1>}
        {!isMissing && !isCurrent && <p role="status">{words.loading}</p>}
        {!isMissing && isCurrent && loaded.error !== undefined && (
          <>
            <h1 tabIndex={-1}>{words.failed}</h1>
            <p>{loaded.error instanceof Error ? loaded.error.message : String(loaded.error)}</p>
            <button type="button" onClick={() => setAttempt(attempt + 1)}>
              {words.again}
            </button>
          </>
        )}
        {!isMissing && view?.body}
      </main>
    </>
  )
}
