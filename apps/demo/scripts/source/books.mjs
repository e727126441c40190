/**
 * All books, in the order of their ids: the English entries first, oldest first.
 *
 *     title          in English, for readers of English; `slug` is made from it unless given
 *     originalTitle  as first published, in its own script
 *     year, circa    of first publication (before print: of completion); negative before our era; circa: an estimate
 *     authors, genres, setIn   slugs, in the order that matters
 *     blurb          one sentence, at most 160 characters; also the meta description
 *     openingLine    in the language of the book
 *     characters     [name, role]
 *     editions       { year, publisher, place, format, pages, note }, what is unknown left out; oldest first
 *     translations   [language, title, translator, year]
 *     gutenberg      number of the Project Gutenberg ebook; `wiki`: name of the English Wikipedia page
 *     hashtag        for the social card
 *     seoTitle       when the title has more than 60 characters
 *     draft          not published yet
 *     fr, de         the same book for readers of French, German: { title, slug, blurb, description, draft }
 */
import { books1800To1879 } from './books-1800-to-1879.mjs'
import { books1880To1927 } from './books-1880-to-1927.mjs'
import { booksTo1799 } from './books-to-1799.mjs'

export const books = [...booksTo1799, ...books1800To1879, ...books1880To1927]
