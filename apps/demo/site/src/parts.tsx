import type { ComponentChildren, VNode } from 'preact'
import { address, type Place } from './router.ts'
import { plain, wordsOf, year } from './words.ts'

/** The attributes of a book that a card shows. */
export interface CardBook {
  readonly id: number
  readonly attributes: {
    readonly title: string
    readonly blurb: string | null
    readonly firstPublished: number | null
    readonly circa: boolean | null
    readonly form: string
    readonly locale: string
    readonly publishedAt: string | null
    readonly authors: { readonly data: readonly { readonly attributes: { readonly name: string } }[] }
    readonly cover: { readonly data: CoverFile | null }
  }
}

interface CoverFile {
  readonly attributes: { readonly url: string; readonly alternativeText: string | null }
}

/** A cover in a width that the server makes; a book without one gets a coloured sheet. */
export function Cover({ title, file, width }: { title: string; file: CoverFile | null; width: 320 | 640 }) {
  if (file)
    return (
      <img
        class="cover"
        src={`${file.attributes.url}?w=${width}&format=webp`}
        alt=""
        width={200}
        height={300}
        loading="lazy"
      />
    )
  const hue = [...title].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6
  return (
    <span class={`cover sheet hue-${hue}`} aria-hidden="true">
      {title}
    </span>
  )
}

export function Shelf({ books, place }: { books: readonly CardBook[]; place: Place }) {
  const words = wordsOf(place.params)
  return (
    <ul class="shelf">
      {books.map(({ id, attributes: book }) => (
        <li key={id} class="card" lang={book.locale}>
          <a href={address(`/books/${id}`, place)}>
            <Cover title={book.title} file={book.cover.data} width={320} />
            <h2>{book.title}</h2>
          </a>
          {book.publishedAt === null && <span class="badge">{words.draft}</span>}
          <p class="quiet">
            {book.authors.data.map(({ attributes }) => attributes.name).join(', ')}
            {book.firstPublished !== null && ` · ${year(book.firstPublished, book.circa)}`}
            {` · ${plain(book.form)}`}
          </p>
          {book.blurb && <p>{book.blurb}</p>}
        </li>
      ))}
    </ul>
  )
}

/** Paragraphs with **strong** and *emphasised* words. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>{inline(paragraph)}</p>
      ))}
    </>
  )
}

const inline = (text: string): readonly (string | VNode)[] =>
  text.split(/(\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) => {
    if (part.startsWith('**')) return <strong key={part}>{part.slice(2, -2)}</strong>
    return part.startsWith('*') && part.length > 2 ? <em key={part}>{part.slice(1, -1)}</em> : part
  })

/** A part of a page with a heading; nothing without content. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
