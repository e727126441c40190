import { isOctavoError } from '@octavo/client'
import { notFound } from 'next/navigation'
import { api } from '../../../lib/api'

export const revalidate = 60

/** The pages that are made at the build; others are made at their first request. */
export async function generateStaticParams(): Promise<{ id: string }[]> {
  const params: { id: string }[] = []
  for await (const { id } of api.books.all({ fields: ['title'], pageSize: 100 }))
    params.push({ id: String(id) })
  return params
}

export default async function Book({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params
  const { data: book } = await api.books
    .findOne(Number(id), { populate: { authors: { fields: ['name'] } } })
    .catch((error: unknown) => {
      if (isOctavoError(error) && error.status === 404) notFound()
      throw error
    })
  const { title, blurb, authors } = book.attributes
  return (
    <main>
      <h1>{title}</h1>
      <p>{authors.data.map((author) => author.attributes.name).join(', ')}</p>
      <p>{blurb}</p>
    </main>
  )
}
