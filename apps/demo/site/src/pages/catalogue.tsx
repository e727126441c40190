import { api, card, stateOf } from '../api.ts'
import { type Facet, narrowed, valuesOf } from '../facets.ts'
import type { Page } from '../page.ts'
import { Shelf } from '../parts.tsx'
import { changed, go, type Place } from '../router.ts'
import { localeOf, plain, type Words, wordsOf } from '../words.ts'

const load = async (query: string, locale: string, isPreview: boolean, signal: AbortSignal) =>
  (
    await api.books.find(
      {
        ...card,
        ...stateOf(isPreview),
        locale,
        fallback: true,
        sort: 'title',
        // The whole catalogue fits on a page, so the facets count and narrow it here.
        pagination: { pageSize: 100, withCount: false },
        ...(query !== '' && {
          filters: { $or: [{ title: { $containsi: query } }, { authors: { name: { $containsi: query } } }] },
        }),
      },
      { signal },
    )
  ).data

type Book = Awaited<ReturnType<typeof load>>[number]

const facets: readonly (Facet<Book> & { readonly title: keyof Words })[] = [
  {
    name: 'genre',
    title: 'genre',
    valuesOf: ({ attributes }) => attributes.genres.data.map((genre) => genre.attributes.name),
  },
  { name: 'form', title: 'form', valuesOf: ({ attributes }) => [attributes.form] },
  { name: 'language', title: 'written', valuesOf: ({ attributes }) => [attributes.language] },
]
/** Values of a facet that are shown. */
const shown = 9

/** The catalogue: search by the server, facets in the browser. */
export function catalogue({ params }: Place): Page {
  const query = params.get('q') ?? ''
  const locale = localeOf(params)
  const isPreview = params.has('preview')
  return {
    key: `books ${locale} ${isPreview} ${query}`,
    load: async (signal) => {
      const books = await load(query, locale, isPreview, signal)
      return (place) => {
        const words = wordsOf(place.params)
        const found = narrowed(books, facets, place.params)
        return {
          title: words.books,
          body: (
            <>
              <h1 tabIndex={-1}>{words.books}</h1>
              <search>
                <form
                  class="search"
                  onSubmit={(event) => {
                    event.preventDefault()
                    const input = event.currentTarget.elements.namedItem('q')
                    if (input instanceof HTMLInputElement) go(changed(place, { q: input.value.trim() }))
                  }}
                >
                  <label for="q">{words.search}</label>
                  <input id="q" name="q" type="search" value={query} key={query} />
                  <button type="submit">{words.find}</button>
                </form>
              </search>
              <div class="catalogue">
                <div class="facets">
                  {facets.map((facet) => (
                    <FacetList key={facet.name} facet={facet} books={books} place={place} />
                  ))}
                </div>
                <div>
                  <p role="status">{found.length === 0 ? words.none : words.found(found.length)}</p>
                  <Shelf books={found} place={place} />
                </div>
              </div>
            </>
          ),
        }
      }
    },
  }
}

function FacetList({
  facet,
  books,
  place,
}: {
  facet: (typeof facets)[number]
  books: readonly Book[]
  place: Place
}) {
  const words = wordsOf(place.params)
  const values = valuesOf(facet, books, facets, place.params)
  return (
    <nav aria-label={String(words[facet.title])}>
      <details open={matchMedia('(min-width: 50rem)').matches || place.params.has(facet.name)}>
        <summary>{String(words[facet.title])}</summary>
        <ul>
          <li>
            <a
              href={changed(place, { [facet.name]: '' })}
              aria-current={place.params.has(facet.name) ? undefined : 'true'}
            >
              {words.all}
            </a>
          </li>
          {values
            .filter(({ isChosen }, index) => isChosen || index < shown)
            .map(({ value, count, isChosen }) => (
              <li key={value}>
                <a
                  href={changed(place, { [facet.name]: isChosen ? '' : value })}
                  aria-current={isChosen ? 'true' : undefined}
                >
                  {plain(value)} <span class="quiet">{count}</span>
                </a>
              </li>
            ))}
        </ul>
      </details>
    </nav>
  )
}
