import { createClient } from '@octavo/client'
import type { contentTypes } from './content-types.ts'

const api = createClient<typeof contentTypes>({ url: 'http://localhost:1337' })

const { data } = await api.articles.find({
  filters: { views: { $gt: 10 }, author: { name: { $startsWith: 'A' } } },
  sort: 'views:desc',
  populate: { author: { fields: ['name'] } },
})
for (const { attributes } of data)
  console.log(attributes.title, 'by', attributes.author.data?.attributes.name)
// → Second light by Ada
// → First light by Ada
