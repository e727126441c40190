/**
 * The measured requests, with hand-written SQL for the same answers. A ceiling's statement gives one row `[data, total]`, from
 * which the bare server makes the same envelope; writes are hand-written transactions of the same rows.
 */
import { compare } from '@node-rs/bcrypt'
import { jwtVerify, SignJWT } from 'jose'
import type { PoolClient } from 'pg'
import {
  article,
  author,
  categories,
  entry,
  hero,
  links,
  list,
  quote,
  searched,
  seo,
  times,
  zone,
} from './ceiling-sql.ts'
import { rareWord } from './fill.ts'
import { type Mode, reader, secret } from './users.ts'
import { changed, extended, idOf, newArticle } from './written.ts'

export interface Scenario {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The requests, sent in turn. `n` is the number of articles. */
  readonly paths: (n: number) => readonly string[]
  readonly body?: string
  /** Octavo's content-types and plugins; with `users`, reads have a token. Default `plain`. */
  readonly mode?: Mode
  /** Why it is not measured with more than a thousand articles. */
  readonly smallOnly?: string
  readonly ceiling: Ceiling
}

/** The bare server's answer to the requests of a scenario. */
export type Ceiling =
  | {
      readonly kind: 'read'
      readonly list: boolean
      readonly text: string
      readonly values: (url: URL) => readonly unknown[]
      /** The preparation of the caller. */
      readonly check?: (authorization: string) => Promise<void>
    }
  | { readonly kind: 'write'; readonly run: (client: PoolClient, url: URL) => Promise<string> }
  /** Bare statements outside of a transaction; gives the whole body. */
  | { readonly kind: 'bare'; readonly run: (query: Query, body: unknown, url: URL) => Promise<string> }

export type Query = (name: string, text: string, values: readonly unknown[]) => Promise<readonly unknown[][]>

const key = new TextEncoder().encode(secret)

const nothing = (): readonly unknown[] => []
const page = 'order by a.id limit 25'
const some = (n: number): readonly string[] =>
  Array.from({ length: 50 }, (_, i) => `/api/articles/${1 + Math.floor((i * n) / 50)}`)
const simple = (path: string) => () => [path]

export const scenarios: readonly Scenario[] = [
  {
    name: 'list of 25',
    method: 'GET',
    paths: simple('/api/articles'),
    ceiling: { kind: 'read', list: true, text: list(article('a'), page), values: nothing },
  },
  {
    name: 'one by id',
    method: 'GET',
    paths: some,
    ceiling: {
      kind: 'read',
      list: false,
      text: `select ${entry('a', article('a'))}::text from articles a where a.id = $1`,
      values: (url) => [idOf(url)],
    },
  },
  {
    name: 'populate=*',
    method: 'GET',
    paths: simple('/api/articles?populate=*'),
    ceiling: {
      kind: 'read',
      list: true,
      text: list(
        `${article('a')}, ${author(`u.name, u.email, ${times('u')}`)}, ${categories(`c.name, ${times('c')}`)}, ${seo}, ${links}, ${zone(hero, quote)}`,
        page,
      ),
      values: nothing,
    },
  },
  {
    name: 'deep population',
    method: 'GET',
    paths: simple(
      '/api/articles?fields=title&populate[author][fields]=name&populate[categories][fields]=name&populate[categories][populate][parent][fields]=name',
    ),
    ceiling: {
      kind: 'read',
      list: true,
      text: list(
        `a.title, ${author('u.name')}, ${categories(`c.name, json_build_object('data', (select ${entry('p', 'p.name')} from categories p where p.id = c.parent_id)) as parent`)}`,
        page,
      ),
      values: nothing,
    },
  },
  {
    name: 'deep filter with sort',
    method: 'GET',
    paths: simple(
      '/api/articles?fields=title&filters[author][name][$eq]=none&filters[status]=news&sort=views:desc',
    ),
    ceiling: {
      kind: 'read',
      list: true,
      text: list(
        'a.title',
        'order by a.views desc, a.id limit 25',
        `where exists (select 1 from authors u where u.id = a.author_id and u.name = $1) and a.status = $2`,
      ),
      values: () => ['none', 'news'],
    },
  },
  {
    name: 'zone with on',
    method: 'GET',
    paths: simple('/api/articles?fields=title&populate[blocks][on][blocks.quote]=true'),
    ceiling: { kind: 'read', list: true, text: list(`a.title, ${zone(quote)}`, page), values: nothing },
  },
  {
    name: 'search _q',
    method: 'GET',
    paths: simple('/api/articles?fields=title&_q=winter%20orchard'),
    ceiling: {
      kind: 'read',
      list: true,
      text: list(
        'a.title',
        page,
        `where ${['a.id::text', 'a.title', 'a.slug', 'a.body', 'a.summary', 'a.status'].map((c) => `lower(${c}) like $1`).join(' or ')}`,
      ),
      values: () => ['%winter orchard%'],
    },
    smallOnly: 'without an index each of the servers reads the whole table for a page',
  },
  {
    name: 'search _q with an index',
    method: 'GET',
    mode: 'search',
    paths: simple(`/api/articles?fields=title&_q=${rareWord}`),
    ceiling: {
      kind: 'read',
      list: true,
      text: list('a.title', page, `where ${searched}`),
      values: () => [`%${rareWord}%`],
    },
  },
  {
    name: 'login',
    method: 'POST',
    paths: simple('/api/auth/local'),
    body: JSON.stringify({ identifier: reader.email, password: reader.password }),
    mode: 'users',
    ceiling: {
      kind: 'bare',
      run: async (query, body) => {
        const { identifier, password } = body as { identifier: string; password: string }
        const [user] = await query(
          'login',
          `select u.id, u.password, u.token_version, (select row_to_json(f) from (select u.id, u.username, u.email, u.provider, u.confirmed, u.blocked, ${times('u')}) f)::text from up_users u where (u.email = lower($1) or u.username = $1) and not coalesce(u.blocked, false)`,
          [identifier],
        )
        if (!user || !(await compare(password, String(user[1])))) throw new Error('wrong password')
        const jwt = await new SignJWT({ id: user[0], v: user[2] })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuedAt()
          .setExpirationTime('30d')
          .sign(key)
        return `{"jwt":"${jwt}","user":${user[3]}}`
      },
    },
  },
  {
    name: 'permission-checked list',
    method: 'GET',
    paths: simple('/api/articles'),
    mode: 'users',
    ceiling: {
      kind: 'read',
      list: true,
      text: list(article('a'), page),
      values: nothing,
      check: async (authorization) => void (await jwtVerify(authorization.slice(7), key)),
    },
  },
  {
    name: 'create',
    method: 'POST',
    paths: simple('/api/articles'),
    body: JSON.stringify({ data: newArticle }),
    ceiling: {
      kind: 'write',
      run: async (client) => {
        const { title, body, views } = newArticle
        const { rows } = await client.query({
          name: 'create',
          text: 'insert into articles (title, body, views, created_at, updated_at) values ($1, $2, $3, now(), now()) returning id',
          values: [title, body, views],
        })
        return answer(client, rows[0].id)
      },
    },
  },
  {
    name: 'create with components',
    method: 'POST',
    paths: simple('/api/articles'),
    body: JSON.stringify({ data: extended }),
    ceiling: {
      kind: 'write',
      run: async (client) => {
        const { title, body, views, author, categories, seo, links, blocks } = extended
        await hasRelated(client, extended)
        const { rows } = await client.query({
          name: 'create',
          text: `insert into articles (title, body, views, author_id, author_position, created_at, updated_at) values ($1, $2, $3, $4, nextval('octavo_position'), now(), now()) returning id`,
          values: [title, body, views, author],
        })
        const { id } = rows[0]
        const owner = `'api::article.article', $1`
        await client.query({
          name: 'seo',
          text: `insert into components_shared_seo (owner_type, owner_id, field, position, meta_title, meta_description) values (${owner}, 'seo', 1, $2, $3)`,
          values: [id, seo.metaTitle, seo.metaDescription],
        })
        await client.query({
          name: 'links',
          text: `insert into components_shared_link (owner_type, owner_id, field, position, label, url) select ${owner}::int, 'links', n, label, url from unnest($2::text[], $3::text[]) with ordinality as x (label, url, n)`,
          values: [id, links.map(({ label }) => label), links.map(({ url }) => url)],
        })
        await client.query({
          name: 'hero',
          text: `insert into components_blocks_hero (owner_type, owner_id, field, position, heading) values (${owner}, 'blocks', 1, $2)`,
          values: [id, blocks[0].heading],
        })
        await client.query({
          name: 'quote',
          text: `insert into components_blocks_quote (owner_type, owner_id, field, position, text) values (${owner}, 'blocks', 2, $2)`,
          values: [id, blocks[1].text],
        })
        await connect(client, id, categories)
        return answer(client, id)
      },
    },
  },
  {
    name: 'update with relations',
    method: 'PUT',
    paths: some,
    body: JSON.stringify({ data: changed }),
    ceiling: {
      kind: 'write',
      run: async (client, url) => {
        const id = idOf(url)
        await client.query({
          name: 'lock',
          text: 'select 1 from articles where id = $1 for update',
          values: [id],
        })
        await hasRelated(client, changed)
        await client.query({
          name: 'update',
          text: 'update articles set title = $2, author_id = $3, updated_at = now() where id = $1',
          values: [id, changed.title, changed.author],
        })
        await client.query({
          name: 'cut',
          text: 'delete from articles_categories_links where owner_id = $1 and target_id <> all($2)',
          values: [id, changed.categories],
        })
        await connect(client, id, changed.categories)
        return answer(client, id)
      },
    },
  },
]

type Related = { readonly author: number; readonly categories: readonly number[] }

/** The related entries exist, and remain until the end of the transaction. */
async function hasRelated(client: PoolClient, { author, categories }: Related): Promise<void> {
  await client.query({
    name: 'has-author',
    text: 'select id from authors where id = $1 for key share',
    values: [author],
  })
  await client.query({
    name: 'has-categories',
    text: 'select id from categories where id = any($1) for key share',
    values: [categories],
  })
}

async function connect(client: PoolClient, id: number, categories: readonly number[]): Promise<void> {
  await client.query({
    name: 'connect',
    text: 'insert into articles_categories_links (owner_id, target_id, position, inverse_position) select $1, c, n, n from unnest($2::int[]) with ordinality as x(c, n) on conflict (owner_id, target_id) do update set position = excluded.position',
    values: [id, categories],
  })
}

async function answer(client: PoolClient, id: number): Promise<string> {
  const { rows } = await client.query({
    name: 'answer',
    text: `select ${entry('a', article('a'))}::text as e from articles a where a.id = $1`,
    values: [id],
  })
  return rows[0].e
}
