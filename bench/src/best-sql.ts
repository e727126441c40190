/**
 * The best SQL known to us for the scenarios: JSON joined as text, totals that triggers keep, literals for the page, the settings of
 * Octavo's connections, and writes that are one statement.
 */
import { searched } from './ceiling-sql.ts'
import { rareWord } from './fill.ts'
import type { Ceiling } from './scenario.ts'
import { changed, extended, idOf, newArticle } from './written.ts'

/** Members of a JSON object: the name, and SQL of its JSON text, not null. */
type Members = Readonly<Record<string, string>>

export const settings = '-c jit=off -c random_page_cost=1.1'

const text = (value: string): string => `coalesce(to_json(${value})::text, 'null')`
const number = (value: string): string => `coalesce(${value}::text, 'null')`
const time = (column: string): string =>
  `coalesce('"' || to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')`
const times = (t: string): Members => ({
  createdAt: time(`${t}.created_at`),
  updatedAt: time(`${t}.updated_at`),
})

const object = (members: Members): string =>
  `('{' || ${Object.entries(members)
    .map(([name, value], i) => `'${i === 0 ? '' : ','}"${name}":' || ${value}`)
    .join(' || ')} || '}')`
const entry = (t: string, attributes: Members): string =>
  object({ id: `${t}.id::text`, attributes: object(attributes) })
const many = (rows: string): string =>
  `('[' || coalesce((select string_agg(x.j, ',') from (${rows}) x), '') || ']')`
const one = (row: string): string => object({ data: `coalesce(${row}, 'null')` })

const article = (t: string): Members => ({
  title: text(`${t}.title`),
  slug: text(`${t}.slug`),
  body: text(`${t}.body`),
  summary: text(`${t}.summary`),
  status: text(`${t}.status`),
  rating: number(`trim_scale(${t}.rating)`),
  views: number(`${t}.views`),
  featured: number(`${t}.featured`),
  publishedOn: text(`${t}.published_on`),
  ...times(t),
})
const author = (attributes: Members): string =>
  one(`(select ${entry('u', attributes)} from authors u where u.id = a.author_id)`)
const categories = (attributes: Members): string =>
  object({
    data: many(
      `select ${entry('c', attributes)} as j from articles_categories_links l join categories c on c.id = l.target_id where l.owner_id = a.id order by l.position, c.id`,
    ),
  })
const owned = (c: string, field: string): string =>
  `${c}.owner_id = a.id and ${c}.owner_type = 'api::article.article' and ${c}.field = '${field}'`
const seo = `coalesce((select ${object({ id: 'c.id::text', metaTitle: text('c.meta_title'), metaDescription: text('c.meta_description') })} from components_shared_seo c where ${owned('c', 'seo')}), 'null')`
const links = many(
  `select ${object({ id: 'c.id::text', label: text('c.label'), url: text('c.url') })} as j from components_shared_link c where ${owned('c', 'links')} order by c.position, c.id`,
)
const block = (name: string, attribute: string): string =>
  `select c.position, ${object({ __component: `'"blocks.${name}"'`, id: 'c.id::text', [attribute]: text(`c.${attribute}`) })} as j from components_blocks_${name} c where ${owned('c', 'blocks')}`
const zone = (...blocks: readonly string[]): string =>
  many(`select b.j from (${blocks.join(' union all ')}) b order by b.position`)

const keptTotal = `(select coalesce(sum(delta), 0) from octavo_totals where "table" = 'articles')`

/** A first page of 25; a page that is not full is its own total. */
const list = (members: Members, { where = '', order = 'a.id', total = keptTotal } = {}): string =>
  `select p.data, case when p.found < 25 then p.found else ${total} end from (select string_agg(${entry('a', members)}, ',') as data, count(*) as found from (select * from articles a ${where} order by ${order} limit 25) a) p`

const reads = (text: string, values: readonly unknown[] = []): Ceiling => ({
  kind: 'read',
  list: true,
  text,
  values: () => values,
})
const written = (text: string, values: (url: URL) => readonly unknown[]): Ceiling => ({
  kind: 'bare',
  run: async (query, _, url) => {
    const [row] = await query('write', text, values(url))
    return `{"data":${String(row?.[0]).slice(0, -1)},"meta":{}},"meta":{}}`
  },
})

const deepFilter = `where a.author_id = any(array(select u.id from authors u where u.name = $1)) and a.status = $2`
const search = `where ${['a.id::text', 'a.title', 'a.slug', 'a.body', 'a.summary', 'a.status'].map((c) => `lower(${c}) like $1`).join(' or ')}`
const counted = (where: string): string => `(select count(*) from articles a ${where})`

/**
 * Rows that repeat (few authors and categories for many articles) are read once, as sets; with many different ones that takes longer.
 */
const deepInSets = `with p as materialized (select * from articles order by id limit 25),
  au as materialized (select u.id, ${entry('u', { name: text('u.name') })} as j from authors u where u.id = any(array(select author_id from p))),
  l as materialized (select owner_id, target_id, position from articles_categories_links where owner_id = any(array(select id from p))),
  c as materialized (select c.id, ${entry('c', {
    name: text('c.name'),
    parent: one(
      `(select ${entry('q', { name: text('q.name') })} from categories q where q.id = c.parent_id)`,
    ),
  })} as j from categories c where c.id = any(array(select target_id from l))),
  g as (select l.owner_id, string_agg(c.j, ',' order by l.position, c.id) as j from l join c on c.id = l.target_id group by 1)
  select string_agg(${entry('a', { title: text('a.title'), author: one('au.j'), categories: object({ data: `('[' || coalesce(g.j, '') || ']')` }) })}, ',' order by a.id), case when count(*) < 25 then count(*) else ${keptTotal} end from p a left join au on au.id = a.author_id left join g on g.owner_id = a.id`

const deepByParent = list({
  title: text('a.title'),
  author: author({ name: text('u.name') }),
  categories: categories({
    name: text('c.name'),
    parent: one(
      `(select ${entry('q', { name: text('q.name') })} from categories q where q.id = c.parent_id)`,
    ),
  }),
})

const insertArticle = 'insert into articles (title, body, views, created_at, updated_at'
const component = (name: string, columns: string, rows: string): string =>
  `${name} as (insert into components_${name} (owner_type, owner_id, field, position, ${columns}) select 'api::article.article', e.id, ${rows})`

/** By the names of the scenarios. @param n The number of articles. */
export const bestCeilings = (n: number): Readonly<Record<string, Ceiling>> => ({
  'list of 25': reads(list(article('a'))),
  'one by id': {
    kind: 'read',
    list: false,
    text: `select ${entry('a', article('a'))} from articles a where a.id = $1`,
    values: (url) => [idOf(url)],
  },
  'populate=*': reads(
    list({
      ...article('a'),
      author: author({ name: text('u.name'), email: text('u.email'), ...times('u') }),
      categories: categories({ name: text('c.name'), ...times('c') }),
      seo,
      links,
      blocks: zone(block('hero', 'heading'), block('quote', 'text')),
    }),
  ),
  'deep population': reads(n > 1_000 ? deepByParent : deepInSets),
  'deep filter with sort': reads(
    list(
      { title: text('a.title') },
      { where: deepFilter, order: 'a.views desc, a.id', total: counted(deepFilter) },
    ),
    ['none', 'news'],
  ),
  'zone with on': reads(list({ title: text('a.title'), blocks: zone(block('quote', 'text')) })),
  'search _q': reads(list({ title: text('a.title') }, { where: search, total: counted(search) }), [
    '%winter orchard%',
  ]),
  'search _q with an index': reads(
    list({ title: text('a.title') }, { where: `where ${searched}`, total: counted(`where ${searched}`) }),
    [`%${rareWord}%`],
  ),
  create: written(
    `with a as (${insertArticle}) values ($1, $2, $3, now(), now()) returning *) select ${entry('a', article('a'))} from a`,
    () => [newArticle.title, newArticle.body, newArticle.views],
  ),
  'create with components': written(
    `with e as (${insertArticle}, author_id, author_position) values ($1, $2, $3, now(), now(), $4, nextval('octavo_position')) returning *),
      ${component('shared_seo', 'meta_title, meta_description', `'seo', 1, $5, $6 from e`)},
      ${component('shared_link', 'label, url', `'links', n, label, url from e, unnest($7::text[], $8::text[]) with ordinality as x (label, url, n)`)},
      ${component('blocks_hero', 'heading', `'blocks', 1, $9 from e`)},
      ${component('blocks_quote', 'text', `'blocks', 2, $10 from e`)},
      l as (insert into articles_categories_links (owner_id, target_id, position, inverse_position) select e.id, c, nextval('octavo_position'), nextval('octavo_position') from e, unnest($11::int[]) as c)
      select ${entry('e', article('e'))} from e`,
    () => [
      extended.title,
      extended.body,
      extended.views,
      extended.author,
      extended.seo.metaTitle,
      extended.seo.metaDescription,
      extended.links.map(({ label }) => label),
      extended.links.map(({ url }) => url),
      extended.blocks[0].heading,
      extended.blocks[1].text,
      extended.categories,
    ],
  ),
  'update with relations': written(
    `with a as (update articles set title = $2, author_id = $3, updated_at = now() where id = $1 returning *),
      cut as (delete from articles_categories_links where owner_id = $1 and target_id <> all($4)),
      added as (insert into articles_categories_links (owner_id, target_id, position, inverse_position) select $1, c, nextval('octavo_position'), nextval('octavo_position') from unnest($4::int[]) as c on conflict (owner_id, target_id) do update set position = excluded.position)
      select ${entry('a', article('a'))} from a`,
    (url) => [idOf(url), changed.title, changed.author, changed.categories],
  ),
})
