import { createClient } from '@octavo/client'
import type { ContentTypes } from '../octavo-types'

const api = createClient<ContentTypes>({ url: process.env.OCTAVO_URL ?? 'http://localhost:1337' })

/** A book as the pages show it. */
export interface Book {
  readonly id: number
  readonly title: string
  readonly blurb: string | null
  readonly authors: string
}

/** All published books, the oldest first. */
export async function allBooks(): Promise<readonly Book[]> {
  const books: Book[] = []
  const query = {
    sort: 'firstPublished',
    populate: { authors: { fields: ['name'] } },
    pageSize: 100,
  } as const
  for await (const { id, attributes } of api.books.all(query)) {
    const { title, blurb, authors } = attributes
    books.push({ id, title, blurb, authors: authors.data.map((author) => author.attributes.name).join(', ') })
  }
  return books
}
