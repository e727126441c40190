/** A program of a front end that has @octavo/client and the file of `octavo types` only. `consumers.mjs` compiles it. */
import { createClient } from '@octavo/client'
import type { ContentTypes } from './octavo-types.js'

const api = createClient<ContentTypes>({ url: 'https://api.example.org' })
/** The file registers its types, so that they need not be named. */
const registered = createClient()

export async function titles(): Promise<readonly string[]> {
  const { data } = await api.books.find({
    filters: { title: { $containsi: 'sea' } },
    populate: { cover: true, authors: { fields: ['name'] } },
    locale: 'fr',
    publicationState: 'preview',
  })
  const [book] = data
  const address: string | undefined = book?.attributes.cover.data?.attributes.url
  const authors: readonly string[] | undefined = book?.attributes.authors.data.map(
    ({ attributes }) => attributes.name,
  )
  const published: string | null | undefined = book?.attributes.publishedAt
  // @ts-expect-error: not populated
  book?.attributes.series
  // @ts-expect-error: there is no such attribute
  await api.books.find({ filters: { titel: { $eq: 'Emma' } } })
  await registered.books.find({ sort: 'title', locale: 'all' })
  // @ts-expect-error: there is no such content-type
  registered.boks
  return [address ?? '', published ?? '', ...(authors ?? [])]
}
