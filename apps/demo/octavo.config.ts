import { defineConfig } from '@octavo/cli'

export default defineConfig({
  content: './content',
  database: 'file:../../.octavo/demo',
  seedWhenEmpty: './data/library.json',
  urls: [
    '/api/books',
    '/api/books?populate[authors][fields]=name&sort=firstPublished',
    '/api/authors?filters[birthplace][country]=France&populate=books',
    '/api/genres?filters[parent][id][$null]=true&populate[children][populate]=children',
    '/api/reading-lists?populate[body][populate]=*',
    '/api/library?populate=*',
  ],
})
