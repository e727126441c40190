import { api, stateOf } from '../api.ts'
import type { Page } from '../page.ts'
import { Cover, Part, Prose } from '../parts.tsx'
import { address, type Place } from '../router.ts'
import { type LocaleCode, locales, plain, type Words, wordsOf, year } from '../words.ts'

const load = async (id: number, isPreview: boolean, signal: AbortSignal) =>
  (
    await api.books.findOne(
      id,
      {
        ...stateOf(isPreview),
        populate: {
          cover: true,
          authors: { fields: ['name', 'bornYear', 'diedYear'] },
          genres: { fields: ['name'] },
          setIn: { fields: ['name'] },
          editions: { sort: 'year', populate: { publishedIn: { fields: ['name'] } } },
          translations: { sort: 'year' },
          characters: true,
          links: true,
          localizations: { fields: ['title', 'locale'] },
        },
      },
      { signal },
    )
  ).data

type Book = Awaited<ReturnType<typeof load>>

/** A book with everything that belongs to it, in one request. */
export function book({ params }: Place, id: number): Page {
  const isPreview = params.has('preview')
  return {
    key: `book ${id} ${isPreview}`,
    load: async (signal) => {
      const found = await load(id, isPreview, signal)
      return (place) => ({
        title: found.attributes.title,
        body: <BookPage id={found.id} book={found.attributes} place={place} />,
      })
    },
  }
}

function BookPage({ book: shown, place }: { id: number; book: Book['attributes']; place: Place }) {
  const words = wordsOf(place.params)
  const { title, authors, cover, localizations, genres, setIn, characters, editions, translations, links } =
    shown
  return (
    <article class="book" lang={shown.locale}>
      <div>
        <Cover title={title} file={cover.data} width={640} />
      </div>
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {shown.publishedAt === null && <span class="badge">{words.draft}</span>}
        <p class="quiet">
          {words.by} {authors.data.map(({ attributes }) => attributes.name).join(', ')}
        </p>
        {localizations.data.length > 0 && (
          <p>
            {words.alsoIn}{' '}
            {localizations.data.map(({ id, attributes }) => (
              <a
                key={id}
                class="tag"
                hreflang={attributes.locale}
                lang={attributes.locale}
                href={address(`/books/${id}`, place, {
                  locale: attributes.locale === 'en' ? '' : attributes.locale,
                })}
              >
                {locales[attributes.locale as LocaleCode] ?? attributes.locale}: {attributes.title}
              </a>
            ))}
          </p>
        )}
        <Prose text={shown.description ?? shown.blurb ?? ''} />
        {shown.openingLine && (
          <figure>
            <blockquote>{shown.openingLine}</blockquote>
            <figcaption class="quiet">{words.opening}</figcaption>
          </figure>
        )}
        <Facts words={words} book={shown} />
        <p>
          {genres.data.map(({ id, attributes }) => (
            <a key={id} class="tag" href={address('/books', place, { genre: attributes.name })}>
              {attributes.name}
            </a>
          ))}
        </p>
        {setIn.data.length > 0 && (
          <Part title={words.setIn}>
            <p>{setIn.data.map(({ attributes }) => attributes.name).join(' · ')}</p>
          </Part>
        )}
        {characters.length > 0 && (
          <Part title={words.characters}>
            <dl class="facts">
              {characters.map(({ id, name, role }) => (
                <div key={id}>
                  <dt>{name}</dt>
                  <dd>{role}</dd>
                </div>
              ))}
            </dl>
          </Part>
        )}
        {translations.data.length > 0 && (
          <Part title={words.translations}>
            <ul>
              {translations.data.map(({ id, attributes }) => (
                <li key={id}>
                  <cite>{attributes.title}</cite>
                  <span class="quiet">
                    {` · ${plain(attributes.language)}`}
                    {attributes.translator && ` · ${attributes.translator}`}
                    {attributes.year !== null && ` · ${year(attributes.year, false)}`}
                  </span>
                </li>
              ))}
            </ul>
          </Part>
        )}
        {editions.data.length > 0 && (
          <Part title={words.editions}>
            <ul>
              {editions.data.map(({ id, attributes }) => (
                <li key={id}>
                  {year(attributes.year, false)}
                  {attributes.publisherName && ` · ${attributes.publisherName}`}
                  {attributes.publishedIn.data && ` · ${attributes.publishedIn.data.attributes.name}`}
                </li>
              ))}
            </ul>
          </Part>
        )}
        {links.length > 0 && (
          <Part title={words.elsewhere}>
            <ul>
              {links.map(({ id, label, url }) => (
                <li key={id}>
                  <a href={url} rel="noreferrer">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </Part>
        )}
      </div>
    </article>
  )
}

function Facts({ words, book: shown }: { words: Words; book: Book['attributes'] }) {
  const facts = [
    [words.original, shown.originalTitle],
    [words.published, year(shown.firstPublished, shown.circa)],
    [words.form, plain(shown.form)],
    [words.written, plain(shown.language)],
  ].filter(([, value]) => value)
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
