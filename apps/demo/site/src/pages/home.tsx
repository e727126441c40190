import { api, card } from '../api.ts'
import type { Page } from '../page.ts'
import { Part, Prose, Shelf } from '../parts.tsx'
import { address, type Place } from '../router.ts'
import { wordsOf } from '../words.ts'

/** The front page: the single type `library` with the books that it features. */
export function home(_: Place): Page {
  return {
    key: 'home',
    load: async (signal) => {
      const { data } = await api.library.find(
        { populate: { featured: card, hours: true, address: true } },
        { signal },
      )
      const { title, intro, featured, hours, address: house } = data.attributes
      return (place) => {
        const words = wordsOf(place.params)
        return {
          title,
          body: (
            <>
              <header class="hero">
                <h1 tabIndex={-1}>{title}</h1>
                <Prose text={intro ?? ''} />
                <a class="button" href={address('/books', place)}>
                  {words.books}
                </a>
              </header>
              <Part title={words.featured}>
                <Shelf books={featured.data} place={place} />
              </Part>
              <div class="columns">
                <Part title={words.hours}>
                  <dl class="facts">
                    {hours.map(({ id, day, from, to }) => (
                      <div key={id}>
                        <dt>{dayName(day, place)}</dt>
                        <dd>
                          {from?.slice(0, 5)} – {to?.slice(0, 5)}
                        </dd>
                      </div>
                    ))}
                  </dl>
                </Part>
                {house && (
                  <Part title={words.address}>
                    <address>
                      {house.street}
                      <br />
                      {house.postalCode} {house.city}
                    </address>
                  </Part>
                )}
              </div>
            </>
          ),
        }
      }
    },
  }
}

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The name of a day in the language of the page; 4 January 1970 was a Sunday. */
const dayName = (day: string, { params }: Place): string =>
  new Intl.DateTimeFormat(params.get('locale') ?? 'en', { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(1970, 0, 4 + days.indexOf(day))),
  )
