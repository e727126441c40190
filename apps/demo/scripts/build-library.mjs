/**
 * Writes `data/library.json` from the hand-kept source in `scripts/source/`: gives ids, resolves slugs, fills in both sides
 * of every relation, and checks the result against the content-types before anything is written. The same source always
 * gives the same bytes.
 *
 *     node apps/demo/scripts/build-library.mjs           writes the file
 *     node apps/demo/scripts/build-library.mjs --check   only compares it; exit code 1 when it is out of date
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { checkLibrary, readContent } from './check-library.mjs'
import { dayOf, yearOf } from './julian.mjs'
import { slugOf } from './slug.mjs'
import { authors } from './source/authors.mjs'
import { books } from './source/books.mjs'
import { genres } from './source/genres.mjs'
import { library, locales, rolePermissions } from './source/library.mjs'
import { places } from './source/places.mjs'
import { readingLists } from './source/reading-lists.mjs'

const TARGET = new URL('../data/library.json', import.meta.url)
const { covers, files } = JSON.parse(readFileSync(new URL('../data/covers.json', import.meta.url), 'utf8'))
const CONTENT = new URL('../content/', import.meta.url)
const LINE_WIDTH = 110

const problems = []
const uid = (name) => `api::${name}.${name}`

// Every entry gets the next moment, so that `createdAt` sorts like the file; `updatedAt` is up to four days later.
let moments = 0
function timestamps() {
  const at = Date.UTC(2025, 2, 3, 8, 0, 0) + moments++ * 7 * 60_000
  const iso = (ms) => new Date(ms).toISOString()
  return {
    createdAt: iso(at),
    updatedAt: iso(at + (moments % 5) * 24 * 3_600_000 + 61_250),
    publishedAt: iso(at + 3_600_000),
  }
}

function stamped(fields, published) {
  const { createdAt, updatedAt, publishedAt } = timestamps()
  if (published === undefined) return { ...fields, createdAt, updatedAt }
  return { ...fields, createdAt, updatedAt, publishedAt: published ? publishedAt : null }
}

// Components have ids of their own, counted per component.
const componentIds = new Map()
function component(name, fields) {
  const id = (componentIds.get(name) ?? 0) + 1
  componentIds.set(name, id)
  return { id, ...fields }
}

/** Entries of one content-type, found again by their slug. */
function table(name) {
  const rows = []
  const bySlug = new Map()
  return {
    rows,
    add(slug, fields) {
      if (bySlug.has(slug)) problems.push(`${name} "${slug}": the slug occurs twice`)
      const row = { id: rows.length + 1, ...fields }
      rows.push(row)
      bySlug.set(slug, row)
      return row
    },
    id(slug, from) {
      const row = bySlug.get(slug)
      if (row === undefined) problems.push(`${from}: no ${name} "${slug}"`)
      return row?.id ?? null
    },
    get: (slug) => bySlug.get(slug),
  }
}

const tables = {
  place: table('place'),
  genre: table('genre'),
  author: table('author'),
  book: table('book'),
  edition: table('edition'),
  translation: table('translation'),
  'reading-list': table('reading-list'),
}

for (const [slug, name, country, latitude, longitude, kind] of places) {
  const fields = { name, slug, country, latitude, longitude, kind, books: [], natives: [] }
  tables.place.add(slug, stamped(fields))
}

function addGenres(list, parent) {
  for (const [name, description, children = []] of list) {
    const slug = slugOf(name, 'en')
    const fields = { name, slug, description, parent: parent?.id ?? null, children: [], books: [] }
    const row = tables.genre.add(slug, stamped(fields))
    parent?.children.push(row.id)
    addGenres(children, row)
  }
}
addGenres(genres)

for (const [slug, author] of Object.entries(authors)) {
  const { name, birthName = null, bio, uncertain = false, birthplace } = author
  const fields = {
    name,
    slug,
    birthName,
    bio,
    born: dayOf(author.born),
    died: dayOf(author.died),
    bornYear: author.bornYear ?? yearOf(author.born),
    diedYear: author.diedYear ?? yearOf(author.died),
    datesUncertain: uncertain,
    birthplace: birthplace ? tables.place.id(birthplace, `author "${slug}"`) : null,
    books: [],
    influencedBy: [],
    influenced: [],
    portrait: null,
  }
  const row = tables.author.add(slug, stamped(fields))
  if (birthplace) tables.place.get(birthplace)?.natives.push(row.id)
}
for (const [slug, { influencedBy = [] }] of Object.entries(authors)) {
  const row = tables.author.get(slug)
  for (const other of influencedBy) {
    row.influencedBy.push(tables.author.id(other, `author "${slug}", influencedBy`))
    tables.author.get(other)?.influenced.push(row.id)
  }
}

function seoOf(text, byline, { seoTitle, hashtag }) {
  const title = seoTitle ?? text.title
  const long = `${title} · ${byline}`
  return component('shared.seo', {
    metaTitle: long.length <= 60 ? long : title,
    metaDescription: text.blurb,
    social: hashtag ? component('shared.social', { card: 'summary_large_image', hashtag }) : null,
  })
}

function linksOf({ wiki, gutenberg }) {
  const links = []
  if (gutenberg) {
    links.push({ label: 'Read at Project Gutenberg', url: `https://www.gutenberg.org/ebooks/${gutenberg}` })
  }
  if (wiki) {
    const url = `https://en.wikipedia.org/wiki/${encodeURI(wiki)}`
    links.push({ label: 'Wikipedia', url })
  }
  return links.map((link) => component('shared.link', link))
}

/** One entry of a book: `text` has the texts in the language `locale`, `book` the other values. */
function addBook(book, text, locale) {
  const from = `book "${text.title}" (${locale})`
  const { circa = false, characters = [] } = book
  const ids = (name, slugs) => slugs.map((slug) => tables[name].id(slug, from))
  const slug = text.slug ?? slugOf(text.title, locale)
  const taken = tables.book.get(slug) !== undefined
  const fields = {
    title: text.title,
    slug: taken && locale !== 'en' ? `${slug}-${locale}` : slug,
    originalTitle: book.originalTitle,
    blurb: text.blurb,
    description: text.description,
    openingLine: book.openingLine ?? null,
    firstPublished: book.year,
    circa,
    language: book.language,
    form: book.form,
    locale,
    authors: ids('author', book.authors),
    genres: ids('genre', book.genres),
    setIn: ids('place', book.setIn),
    editions: [],
    translations: [],
    cover: covers[book.title] ?? null,
    characters: characters.map(([name, role]) => component('shared.character', { name, role })),
    links: linksOf(book),
    seo: seoOf(text, book.authors.map((author) => authors[author]?.name).join(', '), {
      seoTitle: locale === 'en' ? book.seoTitle : undefined,
      hashtag: book.hashtag,
    }),
    localizations: [],
  }
  const row = tables.book.add(fields.slug, stamped(fields, !text.draft))
  for (const author of book.authors) tables.author.get(author)?.books.push(row.id)
  for (const genre of book.genres) tables.genre.get(genre)?.books.push(row.id)
  for (const place of book.setIn) tables.place.get(place)?.books.push(row.id)
  return row
}

// Siblings in other languages come after all English entries, so that they end every list without the i18n plugin.
const english = new Map(books.map((book) => [book, addBook(book, book, 'en')]))
const siblings = new Map(books.map((book) => [book, [english.get(book)]]))
for (const locale of ['fr', 'de']) {
  for (const book of books) {
    if (book[locale]) siblings.get(book).push(addBook(book, book[locale], locale))
  }
}
for (const group of siblings.values()) {
  for (const row of group) row.localizations = group.filter((other) => other !== row).map(({ id }) => id)
}

// An edition or a translation belongs to one entry only: the English one.
for (const [book, row] of english) {
  for (const edition of book.editions ?? []) {
    const { year, publisher = null, place, format = null, pages = null, note = null } = edition
    const publishedIn = place ? tables.place.id(place, `edition ${year} of "${book.title}"`) : null
    const fields = {
      year,
      publisherName: publisher,
      format,
      pages,
      isbn: null,
      note,
      publishedIn,
      book: row.id,
    }
    row.editions.push(tables.edition.add(`${row.slug}/${row.editions.length}`, stamped(fields)).id)
  }
  for (const [language, title, translator, year] of book.translations ?? []) {
    const fields = { language, title, translator, year, book: row.id }
    row.translations.push(
      tables.translation.add(`${row.slug}/${row.translations.length}`, stamped(fields)).id,
    )
  }
}

function block(from, item) {
  const of = (name, fields) => ({ __component: name, ...component(name, fields) })
  if (item.intro) return of('list.intro', { text: item.intro })
  if (item.quote) return of('list.quote', { text: item.quote, by: tables.author.id(item.by, from) })
  if (item.pick) {
    return of('list.book-pick', {
      note: item.note,
      book: tables.book.id(item.pick, from),
      quotes: item.quotes.map(([text, source]) => component('shared.quote', { text, source })),
    })
  }
  if (item.chapter) {
    return of('list.chapter', {
      heading: item.chapter,
      steps: item.steps.map(([label, minutes, book]) =>
        component('list.step', { label, minutes, book: tables.book.id(book, from) }),
      ),
    })
  }
  problems.push(`${from}: a block is none of intro, pick, quote, chapter`)
  return null
}

for (const { title, curator, draft = false, body } of readingLists) {
  const slug = slugOf(title, 'en')
  const fields = { title, slug, curator, body: body.map((item) => block(`reading list "${title}"`, item)) }
  tables['reading-list'].add(slug, stamped(fields, !draft))
}

const { address } = library
const frontPage = stamped({
  id: 1,
  title: library.title,
  intro: library.intro,
  featured: library.featured.map((slug) => tables.book.id(slug, 'library, featured')),
  hours: library.hours.map(([day, from, to]) => component('shared.hours', { day, from, to })),
  address: component('shared.address', { ...address, country: component('shared.country', address.country) }),
})

const entries = {}
for (const [name, { rows }] of Object.entries(tables)) entries[uid(name)] = rows
entries[uid('library')] = [frontPage]

const reading = [...Object.keys(tables).flatMap((name) => [`${uid(name)}.find`, `${uid(name)}.findOne`])]
reading.push(`${uid('library')}.find`)
const writing = ['book', 'author', 'edition', 'translation', 'reading-list'].flatMap((name) =>
  ['create', 'update', 'delete'].map((action) => `${uid(name)}.${action}`),
)
writing.push(`${uid('book')}.createLocalization`)

const data = {
  locales: locales.map((locale, i) => stamped({ id: i + 1, ...locale })),
  files,
  entries,
  roles: [
    {
      id: 1,
      name: 'Authenticated',
      description: 'Default role given to authenticated user.',
      type: 'authenticated',
      permissions: [...reading, ...writing, ...rolePermissions.authenticated].sort(),
    },
    {
      id: 2,
      name: 'Public',
      description: 'Default role given to unauthenticated user.',
      type: 'public',
      permissions: [...reading, ...rolePermissions.public].sort(),
    },
  ],
  users: [],
}

for (const [slug, row] of Object.entries(authors)) {
  if (!books.some((book) => book.authors.includes(slug))) problems.push(`author "${row.name}": no book`)
}
if (problems.length === 0) problems.push(...checkLibrary(data, readContent(CONTENT)))
if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error(`${problems.length} problems; nothing written.`)
  process.exit(1)
}

/** JSON as the formatter of this repository wants it: objects over several lines, lists of plain values on one if they fit. */
function print(value, indent = '', before = 0) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  if (!Array.isArray(value)) {
    const members = Object.entries(value).map(([name, member]) => {
      const key = `${JSON.stringify(name)}: `
      return `${inner}${key}${print(member, inner, key.length)}`
    })
    return `{\n${members.join(',\n')}\n${indent}}`
  }
  const items = value.map((item) => print(item, inner))
  const line = `[${items.join(', ')}]`
  const plain = value.every((item) => typeof item !== 'object')
  if (plain && indent.length + before + line.length < LINE_WIDTH) return line
  if (value.every((item) => typeof item === 'number')) return `[\n${filled(items, inner)}\n${indent}]`
  return `[\n${items.map((item) => inner + item).join(',\n')}\n${indent}]`
}

/** Numbers too many for one line: as many to a line as fit. */
function filled(items, indent) {
  const lines = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + item.length + 3 <= LINE_WIDTH)
      lines[lines.length - 1] = `${last}, ${item}`
    else lines.push(indent + item)
  }
  return lines.join(',\n')
}

const text = `${print(data)}\n`
if (process.argv.includes('--check')) {
  if (!existsSync(TARGET) || readFileSync(TARGET, 'utf8') !== text) {
    console.error('data/library.json differs from its source: run build-library.mjs and commit the result.')
    process.exit(1)
  }
} else {
  writeFileSync(TARGET, text)
  const counts = Object.entries(entries).map(([type, rows]) => `${rows.length} ${type.split('.')[1]}`)
  console.log(`data/library.json: ${counts.join(', ')}`)
}
