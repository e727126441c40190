import Link from 'next/link'
import { api } from '../lib/api'

/** Seconds after which the page is made again. */
export const revalidate = 60

export default async function Home() {
  const { data: books, meta } = await api.books.find({
    sort: 'firstPublished',
    fields: ['title', 'firstPublished'],
    populate: { authors: { fields: ['name'] } },
    pagination: { pageSize: 100 },
  })
  return (
    <main>
      <h1>{meta.pagination.total} books</h1>
      <ul>
        {books.map(({ id, attributes }) => (
          <li key={id}>
            <Link href={`/books/${id}`}>{attributes.title}</Link>
            {`, ${attributes.authors.data.map((author) => author.attributes.name).join(', ')}`}
          </li>
        ))}
      </ul>
    </main>
  )
}
