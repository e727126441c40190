/**
 * Scenarios of `octavo start` as it is installed: all plugins, roles and permissions in the database, articles with drafts, a log. The
 * bare server checks the same token and loads the same user, and a signed-in caller and the public are measured.
 */
import { jwtVerify } from 'jose'
import {
  author,
  categories,
  entry,
  hero,
  links,
  list,
  publishedArticle,
  quote,
  seo,
  times,
  zone,
} from './ceiling-sql.ts'
import { createArticle, createExtended, published, updateArticle } from './ceiling-writes.ts'
import { type CheckCaller, key, nothing, page, type Scenario, simple, some } from './scenario.ts'
import { changed, extended, idOf, newArticle } from './written.ts'

const isPublished = 'where a.published_at is not null'

const fields = publishedArticle('a')

const reads = [
  {
    name: 'list of 25',
    paths: simple('/api/articles'),
    ceiling: { kind: 'read', list: true, text: list(fields, page, isPublished), values: nothing },
  },
  {
    name: 'one by id',
    paths: some,
    ceiling: {
      kind: 'read',
      list: false,
      text: `select ${entry('a', fields)}::text from articles a where a.id = $1 and a.published_at is not null`,
      values: (url: URL) => [idOf(url)],
    },
  },
  {
    name: 'populate=*',
    paths: simple('/api/articles?populate=*'),
    ceiling: {
      kind: 'read',
      list: true,
      text: list(
        `${fields}, ${author(`u.name, u.email, ${times('u')}`)}, ${categories(`c.name, ${times('c')}`)}, ${seo}, ${links}, ${zone(hero, quote)}`,
        page,
        isPublished,
      ),
      values: nothing,
    },
  },
] as const

/** The token is valid, and its user exists, is not blocked, and has signed out of no session since. */
const checkUser: CheckCaller = async (authorization, query) => {
  const { payload } = await jwtVerify(authorization.slice('Bearer '.length), key)
  const [user] = await query(
    'caller',
    'select u.token_version, coalesce(u.blocked, false), u.role_id from up_users u where u.id = $1',
    [payload.id],
  )
  if (!user || Number(user[0]) !== payload.v || user[1] === true || user[2] === null)
    throw new Error('no such caller')
}

const writes = [
  {
    name: 'create',
    method: 'POST',
    paths: simple('/api/articles'),
    body: JSON.stringify({ data: newArticle }),
    run: createArticle(published),
  },
  {
    name: 'create with components',
    method: 'POST',
    paths: simple('/api/articles'),
    body: JSON.stringify({ data: extended }),
    run: createExtended(published),
  },
  {
    name: 'update with relations',
    method: 'PUT',
    paths: some,
    body: JSON.stringify({ data: changed }),
    run: updateArticle(published),
  },
] as const

export const startScenarios: readonly Scenario[] = [
  ...reads.map(
    ({ name, ...read }): Scenario => ({
      name: `start, public: ${name}`,
      method: 'GET',
      mode: 'start',
      ...read,
    }),
  ),
  ...reads.map(
    ({ name, ceiling, ...read }): Scenario => ({
      name: `start, signed in: ${name}`,
      method: 'GET',
      mode: 'start',
      isSignedIn: true,
      ...read,
      ceiling: { ...ceiling, check: checkUser },
    }),
  ),
  ...writes.map(
    ({ name, run, ...write }): Scenario => ({
      name: `start, signed in: ${name}`,
      mode: 'start',
      isSignedIn: true,
      ...write,
      ceiling: { kind: 'write', run, check: checkUser },
    }),
  ),
]
