/** Operations as front ends of Strapi 4 write them, each sent by Apollo Client, urql and graphql-request. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { GraphQLClient } from 'graphql-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Guide, guest, openGuide } from './guide-site.ts'

let guide: Guide
let address: string
beforeAll(async () => {
  guide = await openGuide()
  address = `${guide.url}/graphql`
})
afterAll(() => guide.close())

// biome-ignore lint/suspicious/noExplicitAny: answers are read without a model
type Loose = any
type Send = (operation: string, variables?: object, token?: string) => Promise<Loose>

const headersOf = (token?: string): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** Apollo Client asks for the name of the type of every object. */
const withoutNames = (value: unknown): Loose =>
  JSON.parse(JSON.stringify(value), (_name, inner) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const { __typename, ...rest } = inner
    return rest
  })

/** As the guide of Apollo Client advises for fragments on unions. */
const possibleTypes = {
  RestaurantBlocksDynamicZone: ['ComponentBlocksHero', 'ComponentBlocksRelated', 'ComponentBlocksQuestions'],
}

const clients: Readonly<Record<string, Send>> = {
  'Apollo Client': async (operation, variables = {}, token) => {
    const client = new ApolloClient({
      link: new HttpLink({ uri: address, headers: headersOf(token) }),
      cache: new InMemoryCache({ possibleTypes }),
    })
    const document = gql(operation)
    const { data } = operation.includes('mutation')
      ? await client.mutate({ mutation: document, variables })
      : await client.query({ query: document, variables })
    return withoutNames(data)
  },
  urql: async (operation, variables = {}, token) => {
    const client = new Client({
      url: address,
      exchanges: [fetchExchange],
      fetchOptions: { headers: headersOf(token) },
    })
    const { data, error } = operation.includes('mutation')
      ? await client.mutation(operation, variables).toPromise()
      : await client.query(operation, variables).toPromise()
    if (error) throw error
    return withoutNames(data)
  },
  'graphql-request': async (operation, variables = {}, token) =>
    withoutNames(
      await new GraphQLClient(address, { headers: headersOf(token) }).request(operation, variables),
    ),
}

const rest = async (path: string): Promise<Loose> => (await fetch(`${guide.url}/api${path}`)).json()

const picture = 'data { attributes { url alternativeText width height } }'
const card = `
  fragment Picture on UploadFile { url alternativeText width height }
  fragment Card on RestaurantEntity {
    id
    attributes {
      name slug price
      images(pagination: { limit: 1 }) { data { attributes { ...Picture } } }
      category { data { attributes { name slug } } }
      place { data { attributes { name } } }
      information { description }
    }
  }`

describe.each(Object.entries(clients))('%s', (_name, send) => {
  it('lists the paths of all pages', async () => {
    const data = await send(
      'query Paths { restaurants(locale: "all", sort: "id", pagination: { limit: -1 }) { data { attributes { slug locale } } } }',
    )
    expect(
      data.restaurants.data.map(({ attributes }: Loose) => `${attributes.locale} ${attributes.slug}`),
    ).toEqual(['en the-lantern', 'en copper-pot', 'fr marmite-de-cuivre'])
  })

  it('has a page of cards by category and place, with fragments and the total', async () => {
    const operation = `query Cards($category: String, $place: String, $page: Int!) {
      restaurants(
        filters: { category: { slug: { eq: $category } }, place: { name: { eq: $place } } }
        sort: ["name:asc"], pagination: { page: $page, pageSize: 2 }
      ) { data { ...Card } meta { pagination { page pageCount total } } }
    } ${card}`
    const data = await send(operation, { category: 'warm', place: 'Hill', page: 1 })
    expect(data.restaurants).toEqual({
      data: [
        {
          id: '2',
          attributes: {
            name: 'Copper Pot',
            slug: 'copper-pot',
            price: 'high',
            images: {
              data: [
                {
                  attributes: {
                    url: '/uploads/oven.jpg',
                    alternativeText: 'A picture of oven',
                    width: 640,
                    height: 480,
                  },
                },
              ],
            },
            category: { data: { attributes: { name: 'Warm', slug: 'warm' } } },
            place: { data: { attributes: { name: 'Hill' } } },
            information: { description: 'Slow meals' },
          },
        },
      ],
      meta: { pagination: { page: 1, pageCount: 1, total: 1 } },
    })
    // Without variables there is no filter.
    const all = await send(operation, { page: 1 })
    const { data: entries, meta } = await rest(
      '/restaurants?sort=name&pagination[page]=1&pagination[pageSize]=2',
    )
    expect(all.restaurants.data.map(({ id }: Loose) => Number(id))).toEqual(
      entries.map(({ id }: Loose) => id),
    )
    expect(all.restaurants.meta.pagination.total).toBe(meta.pagination.total)
  })

  it('has one page by its slug, with a zone, nested components and times', async () => {
    const { restaurants } = await send(
      `query Page($slug: String!, $locale: I18NLocaleCode) {
        restaurants(filters: { slug: { eq: $slug } }, locale: $locale) { data { id attributes {
          name
          information { description hours { day opens closes } }
          blocks {
            __typename
            ... on ComponentBlocksHero { heading image { ${picture} } button { label href target } }
            ... on ComponentBlocksRelated { title: heading restaurants { data { ...Card } } }
            ... on ComponentBlocksQuestions { title: heading questions { question answer } }
          }
          localizations { data { attributes { slug locale } } }
        } } }
      } ${card}`,
      { slug: 'copper-pot', locale: 'en' },
    )
    const [{ attributes }] = restaurants.data
    expect(attributes.localizations.data).toEqual([
      { attributes: { slug: 'marmite-de-cuivre', locale: 'fr' } },
    ])
    expect(attributes.information).toEqual({ description: 'Slow meals', hours: [] })
    expect(attributes.blocks).toEqual([
      {
        heading: 'Six hours in the oven',
        image: {
          data: {
            attributes: {
              url: '/uploads/oven.jpg',
              alternativeText: 'A picture of oven',
              width: 640,
              height: 480,
            },
          },
        },
        // A name of an enumeration has no underscore in front, as in the reference.
        button: { label: 'Book', href: '/book', target: 'self' },
      },
      { title: 'Close by', restaurants: { data: [expect.objectContaining({ id: '1' })] } },
      {
        title: 'Asked often',
        questions: [
          { question: 'Dogs?', answer: 'Yes.' },
          { question: 'Cards?', answer: 'No.' },
        ],
      },
    ])
    const { restaurant } = await send(
      'query Hours($id: ID!) { restaurant(id: $id) { data { attributes { information { hours { day opens closes } } } } } }',
      { id: 1 },
    )
    expect(restaurant.data.attributes.information.hours).toEqual([
      { day: 'Monday', opens: '09:00:00.000', closes: '18:30:00.000' },
      { day: 'Tuesday', opens: '12:00:00.000', closes: '22:00:00.000' },
    ])
  })

  it('has the frame of the site from a single type, and the locales for a switch', async () => {
    const data = await send(`query Frame {
      global { data { attributes { title logo { ${picture} } links { id label href target } } } }
      i18NLocales(sort: "code") { data { attributes { code name } } }
    }`)
    expect(data.global.data.attributes.links).toEqual([
      { id: '2', label: 'Home', href: '/', target: null },
      { id: '3', label: 'Press', href: '/press', target: 'blank' },
    ])
    expect(data.global.data.attributes.logo.data.attributes.url).toBe('/uploads/logo.jpg')
    expect(data.i18NLocales.data.map(({ attributes }: Loose) => attributes.code)).toEqual(['en', 'fr'])
  })

  it('searches, shows drafts in a preview, and steps through reviews', async () => {
    const search =
      'query Search($text: String) { restaurants(filters: { or: [{ name: { containsi: $text } }, { information: { description: { containsi: $text } } }] }) { data { id } } }'
    expect((await send(search, { text: 'SOUP' })).restaurants.data).toEqual([{ id: '1' }])
    const preview =
      'query Preview($state: PublicationState) { restaurants(publicationState: $state, filters: { slug: { eq: "ice-house" } }) { data { id attributes { publishedAt } } } }'
    expect((await send(preview, { state: 'LIVE' })).restaurants.data).toEqual([])
    expect((await send(preview, { state: 'PREVIEW' })).restaurants.data).toEqual([
      { id: '3', attributes: { publishedAt: null } },
    ])
    const { restaurant } = await send(`{
      restaurant(id: 2) { data { attributes {
        best: reviews(sort: "note:desc", pagination: { limit: 1 }) { data { attributes { note } } }
        rest: reviews(sort: "note:desc", pagination: { start: 1 }) { data { attributes { note content } } }
        good: reviews(filters: { note: { gte: 4 } }) { data { id } }
      } } }
    }`)
    const { best, rest, good } = restaurant.data.attributes
    expect(best.data).toEqual([{ attributes: { note: 5 } }])
    expect(rest.data.map(({ attributes }: Loose) => attributes.note)).toEqual([4, 3])
    expect(good.data).toHaveLength(2)
  })

  it('signs in, writes a review and reads it with its author', async () => {
    const session = await send(
      'mutation SignIn($input: UsersPermissionsLoginInput!) { login(input: $input) { jwt user { id username } } }',
      { input: { ...guest, provider: 'local' } },
    )
    const { jwt, user } = session.login
    expect(user).toEqual({ id: '1', username: 'ada' })
    expect((await send('query { me { username } }', {}, jwt)).me).toEqual({ username: 'ada' })
    const input = { content: 'Fine', note: 4, restaurant: 1, author: user.id }
    const operation =
      'mutation Review($data: ReviewInput!) { createReview(data: $data) { data { id attributes { note author { data { attributes { username } } } } } } }'
    const { createReview } = await send(operation, { data: input }, jwt)
    expect(createReview.data.attributes).toEqual({
      note: 4,
      author: { data: { attributes: { username: 'ada' } } },
    })
    await expect(send(operation, { data: { ...input, note: 9 } }, jwt)).rejects.toThrow('note')
    await expect(send(operation, { data: input })).rejects.toThrow('Forbidden')
  })
})
