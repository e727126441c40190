/**
 * The measured requests, with hand-written SQL for the same answers. A ceiling's statement gives one row `[data, total]`, from
 * which the bare server makes the same envelope; writes are hand-written transactions of the same rows.
 */
import { compare } from '@node-rs/bcrypt'
import { jwtVerify, SignJWT } from 'jose'
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
import { createArticle, createExtended, updateArticle, withoutDrafts } from './ceiling-writes.ts'
import { rareWord } from './fill.ts'
import { key, nothing, page, type Scenario, simple, some } from './scenario.ts'
import { startScenarios } from './start-scenarios.ts'
import { reader } from './users.ts'
import { changed, extended, idOf, newArticle } from './written.ts'

const bareScenarios: readonly Scenario[] = [
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
      run: createArticle(withoutDrafts),
    },
  },
  {
    name: 'create with components',
    method: 'POST',
    paths: simple('/api/articles'),
    body: JSON.stringify({ data: extended }),
    ceiling: {
      kind: 'write',
      run: createExtended(withoutDrafts),
    },
  },
  {
    name: 'update with relations',
    method: 'PUT',
    paths: some,
    body: JSON.stringify({ data: changed }),
    ceiling: {
      kind: 'write',
      run: updateArticle(withoutDrafts),
    },
  },
]

/** The scenarios of the bare core, and then those of the server of the command line. */
export const scenarios: readonly Scenario[] = [...bareScenarios, ...startScenarios]
