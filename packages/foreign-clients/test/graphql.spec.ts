/** The usual clients of GraphQL, with the defaults that their guides show. */
import { ApolloClient, gql as apolloGql, HttpLink, InMemoryCache } from '@apollo/client'
import { BatchHttpLink } from '@apollo/client/link/batch-http'
import { Client, cacheExchange, fetchExchange } from '@urql/core'
import { GraphQLClient } from 'graphql-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentials, openSite, type Site } from './site.ts'

let site: Site
let address: string
beforeAll(async () => {
  site = await openSite()
  address = `${site.url}/graphql`
})
afterAll(() => site.close())

/** As a front end of Strapi 4 writes it. */
const list = `query Articles($filters: ArticleFiltersInput, $limit: Int) {
  articles(filters: $filters, sort: "title", pagination: { limit: $limit }) {
    data { id attributes { title author { data { id attributes { name } } } seo { title } } }
    meta { pagination { total } }
  }
}`
const login = `mutation ($input: UsersPermissionsLoginInput!) { login(input: $input) { jwt user { id username } } }`
const create = `mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id attributes { title } } } }`
const remove = `mutation ($id: ID!) { deleteArticle(id: $id) { data { id } } }`

/** The titles by REST. */
async function titles(): Promise<readonly string[]> {
  const answer = await fetch(`${site.url}/api/articles?sort=title`)
  const { data } = (await answer.json()) as { data: { attributes: { title: string } }[] }
  return data.map(({ attributes }) => attributes.title)
}

interface Articles {
  readonly articles: { readonly data: readonly { readonly attributes: { readonly title: string } }[] }
}

const titlesOf = ({ articles }: Articles): readonly string[] =>
  articles.data.map(({ attributes }) => attributes.title)

describe('Apollo Client', () => {
  const client = (token?: string): ApolloClient =>
    new ApolloClient({
      link: new HttpLink({ uri: address, ...(token && { headers: { authorization: `Bearer ${token}` } }) }),
      cache: new InMemoryCache(),
    })

  it('reads, with the names of types that its cache asks for', async () => {
    const { data } = await client().query({ query: apolloGql(list), variables: { limit: 5 } })
    expect(titlesOf(data as Articles)).toEqual(await titles())
    expect(JSON.stringify(data)).toContain('"__typename":"AuthorEntityResponse"')
  })

  it('sends the queries of a moment as one batch', async () => {
    const bodies: unknown[] = []
    const batching = new ApolloClient({
      link: new BatchHttpLink({
        uri: address,
        fetch: (uri, init) => {
          bodies.push(JSON.parse(String(init?.body)))
          return fetch(uri, init)
        },
      }),
      cache: new InMemoryCache(),
    })
    const ask = (limit: number) => batching.query({ query: apolloGql(list), variables: { limit } })
    const answers = await Promise.all([ask(1), ask(5)])
    const all = await titles()
    expect(answers.map(({ data }) => titlesOf(data as Articles))).toEqual([all.slice(0, 1), all.slice(0, 5)])
    expect(bodies).toEqual([[expect.anything(), expect.anything()]])
  })

  it('logs in, writes and deletes', async () => {
    const session = await client().mutate<{ login: { jwt: string } }>({
      mutation: apolloGql(login),
      variables: { input: credentials },
    })
    const editor = client(session.data?.login.jwt)
    const made = await editor.mutate<{ createArticle: { data: { id: string } } }>({
      mutation: apolloGql(create),
      variables: { data: { title: 'By Apollo', publishedAt: '2024-01-01T00:00:00.000Z' } },
    })
    expect(await titles()).toContain('By Apollo')
    await editor.mutate({ mutation: apolloGql(remove), variables: { id: made.data?.createArticle.data.id } })
    expect(await titles()).not.toContain('By Apollo')
  })

  it('reports a refusal with its code', async () => {
    const refused = client().mutate({ mutation: apolloGql(create), variables: { data: { title: 'x' } } })
    await expect(refused).rejects.toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  })
})

describe('urql', () => {
  it('reads by GET and writes by POST', async () => {
    const client = new Client({
      url: address,
      exchanges: [cacheExchange, fetchExchange],
      preferGetMethod: true,
    })
    const { data, error } = await client.query<Articles>(list, { limit: 5 }).toPromise()
    expect(error).toBeUndefined()
    expect(data && titlesOf(data)).toEqual(await titles())
    const session = await client.mutation(login, { input: credentials }).toPromise()
    expect(session.data.login.user.username).toBe('ada')
  })
})

describe('graphql-request', () => {
  it('reads with filters, and throws errors with their codes', async () => {
    const client = new GraphQLClient(address)
    const [first = ''] = await titles()
    const found = await client.request<Articles>(list, { filters: { title: { eq: first } } })
    expect(titlesOf(found)).toEqual([first])
    await expect(client.request('{ nope }')).rejects.toMatchObject({
      response: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    })
  })
})
