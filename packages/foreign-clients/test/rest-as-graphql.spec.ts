/**
 * The requests of a site that speaks REST, as Strapi's demo foodadvisor does, and the same in GraphQL: each value of the second answer is that
 * of the first.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Guide, openGuide } from './guide-site.ts'

let guide: Guide
beforeAll(async () => {
  guide = await openGuide()
})
afterAll(() => guide.close())

// biome-ignore lint/suspicious/noExplicitAny: answers are read without a model
type Loose = any

/** Compares an answer of GraphQL with that of REST, which has more. @returns the number of its values */
function compare(found: Loose, rest: Loose, at: string): number {
  if (found === null) {
    expect(rest ?? null, at).toBeNull()
    return 1
  }
  // A relation to entries that the caller may not read, which REST leaves out.
  if (rest === undefined) {
    expect(found, at).toEqual({ data: null })
    return 1
  }
  if (Array.isArray(found)) {
    expect(found.length, at).toBe(rest.length)
    return found.reduce((sum, item, i) => sum + compare(item, rest[i], `${at}[${i}]`), 0)
  }
  if (typeof found === 'object')
    return Object.entries(found).reduce((sum, [name, value]) => {
      if (name !== '__typename') return sum + compare(value, rest[name], `${at}.${name}`)
      expect(value, at).toBe(typeOfComponent(rest.__component))
      return sum + 1
    }, 0)
  expect(found, at).toBe(at.endsWith('.id') ? String(rest) : rest)
  return 1
}

/** `blocks.hero` → `ComponentBlocksHero` */
const typeOfComponent = (uid: string): string =>
  `Component${uid.replaceAll(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}`

const picture = '{ data { id attributes { name url alternativeText width height } } }'
const group = '{ data { id attributes { name slug } } }'

it.each<[string, string, string]>([
  [
    'a page of cards by category and place, with the total',
    '/restaurants?pagination[limit]=6&pagination[start]=0&pagination[withCount]=true&populate=images,category,place,information&filters[category][name][$eq]=Warm&filters[place][name][$eq]=Hill&locale=en',
    `{ restaurants(pagination: { limit: 6, start: 0 }, filters: { category: { name: { eq: "Warm" } }, place: { name: { eq: "Hill" } } }, locale: "en") {
      data { id attributes { name slug price locale publishedAt images ${picture} category ${group} place { data { id attributes { name } } } information { description } } }
      meta { pagination { total } }
    } }`,
  ],
  [
    'a page by its slug, with reviews, their authors, opening hours and localizations',
    '/restaurants?filters[slug]=copper-pot&locale=en&populate[reviews][populate]=author&populate[information][populate]=hours&populate[images][fields]=url&populate[category][fields]=name&populate[localizations]=*&populate[blocks][populate]=restaurants.images,questions,button,image',
    `{ restaurants(filters: { slug: { eq: "copper-pot" } }, locale: "en") { data { id attributes {
      reviews { data { id attributes { note content author { data { id attributes { username } } } } } }
      information { description hours { day } } images { data { id attributes { url } } } category { data { attributes { name } } }
      localizations { data { id attributes { slug locale } } }
      blocks { __typename
        ... on ComponentBlocksHero { id heading image ${picture} button { label href } }
        ... on ComponentBlocksRelated { heading restaurants { data { id attributes { name images { data { id } } } } } }
        ... on ComponentBlocksQuestions { heading questions { question answer } } }
    } } } }`,
  ],
  [
    'the drafts of a preview',
    '/restaurants?filters[slug][$eq]=ice-house&locale=en&publicationState=preview&populate=category,localizations',
    `{ restaurants(filters: { slug: { eq: "ice-house" } }, locale: "en", publicationState: PREVIEW) { data { id attributes { name publishedAt
      category ${group} localizations { data { id } } } } } }`,
  ],
  [
    'the choices of a filter',
    '/categories?pagination[limit]=99&sort=name&populate=restaurants',
    '{ categories(pagination: { limit: 99 }, sort: "name") { data { id attributes { name slug createdAt restaurants(sort: "id") { data { id attributes { name } } } } } } }',
  ],
  [
    'the frame of the site',
    '/global?populate=logo,links',
    `{ global { data { id attributes { title logo ${picture} links { id label href } } } } }`,
  ],
  [
    'reviews, one of them of a draft',
    '/reviews?sort=id&populate=restaurant',
    '{ reviews(sort: "id") { data { id attributes { note content restaurant { data { id attributes { name } } } } } } }',
  ],
  [
    'an entry in a locale',
    '/restaurants/2?locale=en&populate=localizations',
    '{ restaurant(id: 2, locale: "en") { data { id attributes { name slug locale localizations { data { id attributes { locale } } } } } } }',
  ],
])('%s', async (_name, path, query) => {
  const rest = (await (await fetch(`${guide.url}/api${path}`)).json()) as Loose
  const answer = await fetch(`${guide.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await answer.json()) as Loose
  expect(errors).toBeUndefined()
  const [found] = Object.values<Loose>(data)
  expect(compare(found, rest, '')).toBeGreaterThan(3)
})
